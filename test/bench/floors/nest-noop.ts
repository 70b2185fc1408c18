// Floor of the refusal and cold-start rows: Nest on Fastify with a route that parses JSON and answers at once. Beside it
// a route that answers a GET, the floor of repeated reads.
// Decorators are applied by hand because the file runs with its types stripped.
import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

class NoopController {
  accept(body: unknown): { ok: boolean } {
    return { ok: body !== undefined };
  }

  read(): { ok: boolean } {
    return { ok: true };
  }
}
Controller('noop')(NoopController);
Body()(NoopController.prototype, 'accept', 0);
const method = Object.getOwnPropertyDescriptor(NoopController.prototype, 'accept');
if (method !== undefined) {
  Post()(NoopController.prototype, 'accept', method);
  HttpCode(422)(NoopController.prototype, 'accept', method);
}
const read = Object.getOwnPropertyDescriptor(NoopController.prototype, 'read');
if (read !== undefined) Get()(NoopController.prototype, 'read', read);

class NoopModule {}
Module({ controllers: [NoopController] })(NoopModule);

const app = await NestFactory.create(NoopModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
const address = app.getHttpServer().address() as import('node:net').AddressInfo;
process.send?.(address.port);
