import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Controller, Module, Post } from '@nestjs/common';
import { createLogger } from '@heddle/platform-telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.js';
import { CONNECTION_DEFAULTS, ConnectionGuard } from './connection-guard.js';
import type { HttpApi } from './http-api.js';
import { noteApi } from './client-error.js';
import { createHttpApplication } from './http-application.js';
import { HTTP_DEFAULTS } from './http-limits.js';
import { mountApi } from './mount-api.js';
import { registryForm } from './registry-form.js';

@Controller('publishers')
class PublishersController {
  @Post()
  make(): object {
    return {};
  }
}

@Module({ controllers: [PublishersController] })
class PublishersModule {}

const open = async (api?: HttpApi): Promise<NestFastifyApplication> =>
  await createHttpApplication(PublishersModule, {
    ...(api === undefined ? {} : { api }),
    limits: HTTP_DEFAULTS,
    logger: createLogger('silent'),
    tracer: null,
    guard: () => null,
    admit: () => Promise.resolve(null),
    streamedBodies: new Set(),
    connections: new ConnectionGuard(CONNECTION_DEFAULTS),
    bodies: new BodyBudget(1_000_000),
    observe: () => undefined,
  });

describe('an API that is mounted on the server of another', () => {
  let app: NestFastifyApplication;
  let mounted: NestFastifyApplication;
  beforeAll(async () => {
    app = await open();
    const form = registryForm(({ message }, error, target) => ({ error, message, target }));
    mounted = await open(form);
    await mounted.init();
    const fastify = mounted.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    await fastify.ready();
    mountApi(app.getHttpServer(), '/registry', (request, response) => {
      noteApi(request, form);
      // As an application that is opened by its first request.
      setImmediate(() => fastify.routing(request, response));
    });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await mounted.close();
    await app.close();
  });

  const post = (path: string, rest: string): Promise<{ readonly head: string; readonly body: unknown }> =>
    new Promise((resolve) => {
      const socket = connect((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
      let came = '';
      socket.on('error', () => undefined).on('data', (chunk) => (came += chunk.toString('latin1')));
      socket.once('close', () => {
        const [head = '', body = ''] = came.split('\r\n\r\n');
        resolve({ head, body: body === '' ? '' : JSON.parse(body) });
      });
      socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${rest}`);
    });

  it.each(['Transfer-Encoding: chunked\r\n\r\nzz\r\n', 'Transfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n'])(
    'refuses an unreadable body in its own form: %j',
    async (rest) => {
      const { head, body } = await post('/registry/publishers', rest);
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(body).toEqual({ error: 'invalid_request', message: expect.any(String) as string, target: '/publishers' });
    },
  );

  it('leaves the form of the server to its own requests, and to heads that nobody can read', async () => {
    const envelope = { error: { code: 'bad_request', message: expect.any(String) as string } };
    expect((await post('/publishers', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n')).body).toEqual(envelope);
    expect((await post('/registry/publishers', 'a b: c\r\n\r\n')).body).toEqual(envelope);
  });
});
