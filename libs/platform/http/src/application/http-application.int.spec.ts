import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Controller, Get, Module, Param, Post, Put, Req, Res } from '@nestjs/common';
import { accepted, refuse, rejected } from '@heddle/contracts-messages';
import { createLogger } from '@heddle/platform-telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyBudget } from '../bodies/body-budget.js';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '../connections/connection-guard.js';
import { createHttpApplication } from './http-application.js';
import { HTTP_DEFAULTS } from './http-limits.js';
import { respond } from '../answers/respond.js';
import { takeConnection } from '../connections/take-connection.js';

/** Routes with paths of v2, so that the contract's own table distinguishes 405 from 404. */
@Controller('api/v2/jobs')
class EchoController {
  @Post()
  echo(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    return respond(reply, Promise.resolve(accepted(body.length)), 201, (length) => JSON.stringify({ length }));
  }

  /** Its body is passed on unread. */
  @Put(':id/stream')
  async receive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    let length = 0;
    for await (const chunk of request.raw) length += (chunk as Buffer).length;
    await respond(reply, Promise.resolve(accepted(length)), 200, (bytes) => JSON.stringify({ length: bytes }));
  }

  /** Slow: answers when `letGo` is called. */
  @Post(':id/cancel')
  async slow(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { length } = request.body as Buffer;
    await new Promise<void>((resolve) => waiting.push(resolve));
    await respond(reply, Promise.resolve(accepted(length)), 200, () => '{}');
  }

  @Get(':id')
  refuse(@Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (id === 'throws') throw new Error('a secret of the inside');
    return respond(reply, Promise.resolve(rejected(refuse('not_found', { case: 'resource' }))), 200, () => '');
  }

  @Get(':id/events')
  stream(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const socket = takeConnection(request, reply);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nfirst;');
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

const open = new Set<Socket>();
/** One entry per request on the slow route. */
const waiting: (() => void)[] = [];
const bodies = new BodyBudget(150_000);
const observed: string[] = [];
let app: NestFastifyApplication;
let port: number;

beforeAll(async () => {
  app = await createHttpApplication(EchoModule, {
    limits: { ...HTTP_DEFAULTS, bodyBytes: 100_000, bodyTimeoutMs: 2_500 },
    logger: createLogger('silent'),
    tracer: null,
    guard: () => null,
    admit: async (request) => {
      await Promise.resolve();
      return request.headers.authorization === 'no' ? refuse('unauthorized', { case: 'credential' }) : null;
    },
    streamedBodies: new Set(['PUT /api/v2/jobs/:id/stream']),
    connections: new ConnectionGuard(CONNECTION_DEFAULTS),
    bodies,
    observe: (request, reply) => void observed.push(`${request.url} ${reply.statusCode}`),
  });
  await app.listen(0, '127.0.0.1');
  port = (app.getHttpServer().address() as AddressInfo).port;
});
afterAll(() => app.close());

interface Talk {
  readonly socket: Socket;
  /** All bytes received until `found` matches or the server closes. */
  read(found?: RegExp): Promise<string>;
}

function talk(text: string): Talk {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).write(text);
  let came = '';
  const read = (found?: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (found !== undefined && found.test(came)) resolve(came);
      };
      socket.on('data', look).once('close', () => resolve(came));
      look();
    });
  socket.on('data', (chunk) => (came += chunk.toString('latin1')));
  return { socket, read };
}

const HEAD = 'Host: localhost\r\n';
const ask = (request: string): Promise<string> =>
  talk(request.replace('\r\n', `\r\n${HEAD}Connection: close\r\n`)).read();
const codeOf = (answer: string): string => /"code":"(\w+)"/.exec(answer)?.[1] ?? answer.split('\r\n', 1)[0]!;

describe('an application that speaks the envelope on every path', () => {
  it.each(['/counted/%zz 400', '/counted/nothing 404', '/api/v2/jobs/counted 404'])(
    'observes each request once: %s',
    async (line) => {
      await ask(`GET ${line.split(' ')[0]} HTTP/1.1\r\n\r\n`);
      await expect.poll(() => observed.filter((one) => one === line)).toHaveLength(1);
    },
  );

  it.each([
    ['GET /nope HTTP/1.1\r\n\r\n', 'not_found'],
    ['POST /nope HTTP/1.1\r\nContent-Length: 1\r\n\r\n{', 'not_found'],
    ['PUT /api/v2/jobs HTTP/1.1\r\n\r\n', 'method_not_allowed'],
    ['TRACE /api/v2/jobs HTTP/1.1\r\n\r\n', 'method_not_allowed'],
    ['CONNECT localhost:1 HTTP/1.1\r\n\r\n', 'method_not_allowed'],
    ['FOO /api/v2/jobs HTTP/1.1\r\n\r\n', 'bad_request'],
    ['GET http://evil.example/api/v2/jobs HTTP/1.1\r\n\r\n', 'bad_request'],
    ['GET /api/v2/jobs/%zz HTTP/1.1\r\n\r\n', 'bad_request'],
    ['GET /api/v2/jobs/a HTTP/1.1\r\nHost: two\r\n\r\n', 'bad_request'],
    ['GET /api/v2/jobs/a HTTP/1.1\r\nAuthorization: no\r\n\r\n', 'unauthorized'],
    ['GET /api/v2/jobs/a HTTP/1.1\r\n\r\n', 'not_found'],
    ['GET /api/v2/jobs/throws HTTP/1.1\r\n\r\n', 'upstream_error'],
    [`GET /${'x'.repeat(5_000)} HTTP/1.1\r\n\r\n`, 'uri_too_long'],
    [`GET /${'x'.repeat(40_000)} HTTP/1.1\r\n\r\n`, 'uri_too_long'],
    [`GET /a HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
    [`GET /a HTTP/1.1\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`, 'headers_too_large'],
    [`GET /a HTTP/1.1\r\n${'X: y\r\n'.repeat(64)}\r\n`, 'headers_too_large'],
    ['GET /a HTTP/1.1\r\nX-A : b\r\n\r\n', 'bad_request'],
  ])('answers %j', async (request, code) => {
    const answer = await ask(request);
    expect(codeOf(answer)).toBe(code);
    expect(answer).toMatch(/x-request-id: [\w.-]+\r\n/i);
    expect(answer).not.toContain('secret');
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  });

  it('tells with a 405 which methods there are', async () => {
    expect(await ask('PUT /api/v2/jobs HTTP/1.1\r\n\r\n')).toMatch(/allow: GET, HEAD, POST\r\n/i);
  });

  it('tells 404 by the same words whatever the reason was', async () => {
    const bodies = await Promise.all(
      ['/nope', '/api/v2/jobs/a'].map(async (path) => (await ask(`GET ${path} HTTP/1.1\r\n\r\n`)).split('\r\n\r\n')[1]),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  it('repeats a request id that is harmless, and makes one otherwise', async () => {
    expect(await ask('GET /a HTTP/1.1\r\nX-Request-Id: my-id/1\r\n\r\n')).toMatch(/x-request-id: my-id\/1\r\n/i);
    expect(await ask('GET /a HTTP/1.1\r\nX-Request-Id: {"a"}\r\n\r\n')).not.toContain('{"a"}');
  });

  it.each(['', 'Content-Type: text/html\r\n', 'Content-Type: nonsense\r\n', 'Content-Type: application/json\r\n'])(
    'reads a body with the header %j as bytes: never 415',
    async (type) => {
      const answer = await ask(`POST /api/v2/jobs HTTP/1.1\r\n${type}Content-Length: 3\r\n\r\n{}x`);
      expect(answer).toContain('{"length":3}');
    },
  );

  it('reads a body in chunks, an empty one and none', async () => {
    const chunked = 'Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n';
    expect(await ask(`POST /api/v2/jobs HTTP/1.1\r\n${chunked}`)).toContain('{"length":5}');
    expect(await ask('POST /api/v2/jobs HTTP/1.1\r\nContent-Length: 0\r\n\r\n')).toContain('{"length":0}');
    expect(await ask('POST /api/v2/jobs HTTP/1.1\r\n\r\n')).toContain('{"length":0}');
  });

  it.each(['x', ';', '/', 'text plain', 'a/b c', 'multipart/form-data; boundary=x'])(
    'passes a streamed body on whose content type is %j',
    async (type) => {
      const head = `PUT /api/v2/jobs/a/stream HTTP/1.1\r\nContent-Type: ${type}\r\nContent-Length: 3\r\n\r\nabc`;
      expect(await ask(head)).toContain('{"length":3}');
    },
  );

  it.each(['Content-Length: 20000000', 'Transfer-Encoding: chunked'])(
    'lets a client that sends too much (%s) read 413 before the connection closes',
    async (framing) => {
      const chunk = 'x'.repeat(65_536);
      const client = talk(`POST /api/v2/jobs HTTP/1.1\r\n${HEAD}${framing}\r\n\r\n`);
      const part = framing.startsWith('T') ? `10000\r\n${chunk}\r\n` : chunk;
      for (let sent = 0; sent < 300; sent += 1) client.socket.write(part);
      expect(codeOf(await client.read(/"code"/))).toBe('payload_too_large');
      client.socket.destroy();
    },
  );

  it('answers 408 to a body that does not come, and closes', async () => {
    const client = talk(`POST /api/v2/jobs HTTP/1.1\r\n${HEAD}Content-Length: 10\r\n\r\nab`);
    expect(codeOf(await client.read(/"code"/))).toBe('request_timeout');
    client.socket.end();
    expect(await client.read()).toMatch(/connection: close/i);
  });

  it('refuses a body for which the process has no room, and takes it once the others are gone', async () => {
    const most = `POST /api/v2/jobs HTTP/1.1\r\n${HEAD}Content-Length: 90000\r\n\r\n`;
    const held = talk(most + 'x'.repeat(89_999));
    // Waits until the server has read this far.
    await expect
      .poll(async () =>
        codeOf(await ask(`POST /api/v2/jobs HTTP/1.1\r\nContent-Length: 80000\r\n\r\n${'x'.repeat(80_000)}`)),
      )
      .toBe('rate_limited');
    const refused = await ask(`POST /api/v2/jobs HTTP/1.1\r\nContent-Length: 80000\r\n\r\n${'x'.repeat(80_000)}`);
    expect(refused).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 1\r\n/i);
    held.socket.destroy();
    for (let again = 0; again < 3; again += 1) {
      await expect
        .poll(() => ask(`POST /api/v2/jobs HTTP/1.1\r\nContent-Length: 80000\r\n\r\n${'x'.repeat(80_000)}`))
        .toContain('{"length":80000}');
    }
  });

  it('counts a body until its handler settles, even if its client is gone before', async () => {
    const length = 90_000;
    const request = `POST /api/v2/jobs/a/cancel HTTP/1.1\r\n${HEAD}Content-Length: ${length}\r\n\r\n${'x'.repeat(length)}`;
    const client = talk(request);
    await expect.poll(() => waiting.length).toBe(1);
    const connections = (): Promise<number> =>
      new Promise((resolve) => app.getHttpServer().getConnections((_: Error | null, count: number) => resolve(count)));
    client.socket.resetAndDestroy();
    await expect.poll(connections).toBe(0);
    expect(bodies.held).toBe(length);
    waiting.pop()!();
    await expect.poll(() => bodies.held).toBe(0);
  });

  it('refuses a body of thousands of chunks of one byte', async () => {
    const client = talk(`POST /api/v2/jobs HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    for (let sent = 0; sent < 20; sent += 1) client.socket.write('1\r\nx\r\n'.repeat(500));
    const answer = await client.read(/"code"/);
    expect(codeOf(answer)).toBe('bad_request');
    expect(answer).toContain('Send chunks of 16 bytes or more.');
    client.socket.destroy();
  });

  it('answers a client that has closed its own side', async () => {
    const client = talk(`POST /api/v2/jobs HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\nab`);
    client.socket.end();
    expect(await client.read()).toContain('{"length":2}');
  });

  it('goes on with the same connection after a refusal with a small body', async () => {
    const refused = `POST /nope HTTP/1.1\r\n${HEAD}Content-Length: 5\r\n\r\n01234`;
    const client = talk(`${refused}POST /api/v2/jobs HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\nab`);
    expect(await client.read(/"length":2/)).toContain('not_found');
    client.socket.destroy();
  });
});

describe('a connection that was taken out of the HTTP server', () => {
  const stream = (more = ''): Talk => talk(`GET /api/v2/jobs/a/events HTTP/1.1\r\n${HEAD}\r\n${more}`);
  const onlySocket = (): Socket => [...open][0]!;

  it('is the bare socket, which lives on and carries what is written to it', async () => {
    const client = stream();
    await client.read(/first;/);
    onlySocket().write('second;');
    expect(await client.read(/second;/)).toMatch(/\r\n\r\nfirst;second;$/);
    client.socket.destroy();
    await expect.poll(() => open.size).toBe(0);
  });

  it('keeps neither parser nor request nor response', async () => {
    const client = stream();
    await client.read(/first;/);
    const socket = onlySocket();
    expect(Reflect.get(socket, 'parser')).toBeNull();
    expect(Reflect.get(socket, '_httpMessage')).toBeNull();
    expect(socket.listeners('timeout')).toEqual([]);
    client.socket.destroy();
    await expect.poll(() => open.size).toBe(0);
  });

  it('takes no further request', async () => {
    const client = stream();
    await client.read(/first;/);
    client.socket.write(`GET /api/v2/jobs/a HTTP/1.1\r\n${HEAD}\r\n`);
    onlySocket().write('second;');
    expect(await client.read(/second;/)).not.toContain('not_found');
    client.socket.destroy();
    await expect.poll(() => open.size).toBe(0);
  });

  it('is cut where a second request was sent behind the first', async () => {
    const client = stream(`GET /api/v2/jobs/a HTTP/1.1\r\n${HEAD}\r\n`);
    expect(await client.read()).not.toContain('not_found');
    await expect.poll(() => open.size).toBe(0);
  });

  it('ends when its client goes away', async () => {
    const client = stream();
    await client.read(/first;/);
    client.socket.end();
    await expect.poll(() => open.size).toBe(0);
  });
});
