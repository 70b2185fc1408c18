import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Controller, Get, Header, HttpCode, Module, Param, Post, Req, Res } from '@nestjs/common';
import { accepted } from '@heddle/contracts-messages';
import { createLogger } from '@heddle/platform-telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BodyBudget } from '../bodies/body-budget.js';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '../connections/connection-guard.js';
import { createHttpApplication } from '../application/http-application.js';
import { HTTP_DEFAULTS } from '../application/http-limits.js';
import { respond } from './respond.js';

const MIB = 1024 ** 2;
/** More than the sockets of both sides hold. */
const ANSWER_BYTES = 16 * MIB;

/** Routes with paths of v2 whose answers have as many bytes as their id says. */
@Controller('api/v2/jobs')
class LargeController {
  @Get(':id')
  @Header('cache-control', 'public, max-age=60')
  @Header('etag', '"a"')
  read(@Param('id') bytes: string, @Res() reply: FastifyReply): Promise<void> {
    return respond(reply, Promise.resolve(accepted(Number(bytes))), 200, (length) => 'x'.repeat(length));
  }

  @Post(':id')
  make(@Param('id') bytes: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    taken.push((request.body as Buffer).length);
    return respond(reply, Promise.resolve(accepted(Number(bytes))), 201, (length) => 'x'.repeat(length));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  repeat(@Param('id') bytes: string, @Res() reply: FastifyReply): Promise<void> {
    return this.read(bytes, reply);
  }
}

@Module({ controllers: [LargeController] })
class LargeModule {}

/** Lengths of the bodies that handlers got. */
const taken: number[] = [];
const bodies = new BodyBudget(128 * MIB);
let app: NestFastifyApplication;
const sockets: Socket[] = [];

beforeAll(async () => {
  app = await createHttpApplication(LargeModule, {
    limits: HTTP_DEFAULTS,
    logger: createLogger('silent'),
    tracer: null,
    guard: () => null,
    admit: () => Promise.resolve(null),
    streamedBodies: new Set(),
    repeatable: new Set(['POST /api/v2/jobs/:id/cancel']),
    accountOf: ({ headers }) => headers['x-account']?.toString() ?? null,
    connections: new ConnectionGuard(CONNECTION_DEFAULTS),
    bodies,
    observe: () => undefined,
  });
  await app.listen(0, '127.0.0.1');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(() => bodies.held).toBe(0);
});
afterAll(() => app.close());

/** The status of an answer of which no more than the beginning is read. */
async function unread(method: string, path: string, body = '', account: string | null = null): Promise<number> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const head = `${method} /api/v2/jobs/${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n`;
  socket.write(`${head}${account === null ? '' : `X-Account: ${account}\r\n`}\r\n${body}`);
  const answer = await new Promise<string>((resolve) =>
    socket.once('data', (chunk) => resolve(chunk.toString('latin1'))),
  );
  socket.pause();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

describe('large answers that nobody takes', () => {
  it('are counted with their bytes, and the bodies of their requests no more', async () => {
    expect(await unread('POST', String(ANSWER_BYTES), 'x'.repeat(4 * MIB))).toBe(201);
    expect(taken.splice(0)).toEqual([4 * MIB]);
    await expect.poll(() => bodies.held).toBe(ANSWER_BYTES);
  });

  it('are 429 beyond a quarter of the budget, except to whoever made something', async () => {
    expect([await unread('GET', String(ANSWER_BYTES)), await unread('GET', String(ANSWER_BYTES))]).toEqual([200, 200]);
    expect(bodies.held).toBe(2 * ANSWER_BYTES);
    expect(await unread('GET', String(ANSWER_BYTES))).toBe(429);
    expect(await unread('POST', `${ANSWER_BYTES}/cancel`)).toBe(429);
    expect(bodies.held).toBe(2 * ANSWER_BYTES);
    expect(await unread('POST', String(ANSWER_BYTES), 'x')).toBe(201);
    expect(bodies.held).toBe(3 * ANSWER_BYTES);
  });

  it('are sent if no other is held, whatever their size', async () => {
    expect(await unread('GET', String(64 * MIB))).toBe(200);
    expect(await unread('GET', String(ANSWER_BYTES))).toBe(429);
  });

  it('of one account leave room for those of others', async () => {
    const bytes = String(6 * MIB);
    const ofOne = [await unread('GET', bytes, '', 'one'), await unread('GET', bytes, '', 'one')];
    expect(ofOne).toEqual([200, 429]);
    expect(await unread('POST', bytes, 'x', 'one')).toBe(201);
    expect(await unread('GET', bytes, '', 'another')).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(() => bodies.held).toBe(0);
    expect(await unread('GET', bytes, '', 'one')).toBe(200);
  });

  it('are replaced without the headers by which a cache would keep the refusal', async () => {
    expect(await unread('GET', String(64 * MIB))).toBe(200);
    const { port } = app.getHttpServer().address() as AddressInfo;
    const { status, headers } = await fetch(`http://127.0.0.1:${port}/api/v2/jobs/${ANSWER_BYTES}`);
    expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([429, null, null]);
    expect(headers.get('retry-after')).toBe('1');
  });

  it('are no obstacle to small ones', async () => {
    expect(await unread('GET', String(64 * MIB))).toBe(200);
    expect(await unread('GET', '1000')).toBe(200);
  });
});

it('a large answer comes whole', async () => {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/jobs/${ANSWER_BYTES}`);
  expect(answer.headers.get('content-length')).toBe(String(ANSWER_BYTES));
  expect((await answer.text()) === 'x'.repeat(ANSWER_BYTES)).toBe(true);
});
