import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Controller, Module, Post } from '@nestjs/common';
import { createLogger } from '@heddle/platform-telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyBudget } from '../bodies/body-budget.js';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '../connections/connection-guard.js';
import type { HttpApi } from './http-api.js';
import { createHttpApplication } from '../application/http-application.js';
import { HTTP_DEFAULTS } from '../application/http-limits.js';
import { mountApi } from './mount-api.js';
import { REGISTRY_API } from './registry-form.js';

@Controller()
class EveryPathController {
  @Post('*')
  take(): object {
    return {};
  }
}

@Module({ controllers: [EveryPathController] })
class EveryPathModule {}

const open = async (api?: HttpApi): Promise<NestFastifyApplication> =>
  await createHttpApplication(EveryPathModule, {
    ...(api === undefined ? {} : { api }),
    // A head without end is refused in its first packet.
    limits: { ...HTTP_DEFAULTS, headerBytes: 4_096, bodyTimeoutMs: 500 },
    logger: createLogger('silent'),
    tracer: null,
    guard: () => null,
    admit: () => Promise.resolve(null),
    streamedBodies: new Set(),
    connections: new ConnectionGuard(CONNECTION_DEFAULTS),
    bodies: new BodyBudget(1_000_000),
    observe: () => undefined,
  });

async function mount(app: NestFastifyApplication, prefix: string, keepsPrefix: boolean): Promise<void> {
  const mounted = await open(REGISTRY_API);
  await mounted.init();
  const fastify = mounted.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await fastify.ready();
  mountApi(app.getHttpServer(), { prefix, keepsPrefix, api: REGISTRY_API }, (request, response) => {
    // As an application that is opened by its first request.
    setImmediate(() => fastify.routing(request, response));
  });
}

interface Answer {
  readonly head: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The last answer on a connection of its own. */
const send = (app: NestFastifyApplication, bytes: string): Promise<Answer> =>
  new Promise((resolve) => {
    const socket = connect((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    let came = '';
    socket.on('error', () => undefined).on('data', (chunk) => (came += chunk.toString('latin1')));
    socket.once('close', () => {
      const [head = '', body = ''] = came
        .slice(came.search(/HTTP\/1\.1 \d+ [^\r]*\r\n(?![^]*HTTP\/1\.1 \d)/))
        .split('\r\n\r\n');
      resolve({ head, body: body === '' ? {} : (JSON.parse(body) as Answer['body']) });
    });
    const [first = '', ...later] = bytes.split(LATER);
    socket.setNoDelay().write(first);
    // The length of a pause between two packets.
    for (const part of later) setTimeout(() => socket.write(part), 50);
  });

/** What follows is sent in a packet of its own. */
const LATER = '<later>';

/** What cannot be read, by the target to which it is sent, with the status of its refusal. */
const UNREADABLE: readonly (readonly [string, (path: string) => string, number])[] = [
  ['a size of a chunk', (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  [
    'the end of a chunk',
    (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n`,
    400,
  ],
  ['a body that is late', (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{`, 408],
  ['a name of a header', (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\na b: c\r\n\r\n`, 400],
  ['a blank before a colon', (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nX-A : b\r\n\r\n`, 400],
  ['two lengths', (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  ['a method', (path) => `FOO ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
  ['a version', (path) => `POST ${path} HTTP/9.9\r\nHost: a\r\n\r\n`, 400],
  ['a character of the target', (path) => `POST ${path}/\0 HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
  ['the encoding of the target', (path) => `POST ${path}/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 400],
  ['no host', (path) => `POST ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
  ['an absolute form', (path) => `POST http://a${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 400],
  ['an absolute form and a header', (path) => `POST http://a${path} HTTP/1.1\r\nHost: a\r\na b: c\r\n\r\n`, 400],
  ['a target without end', (path) => `POST ${path}?${'x'.repeat(40_000)}`, 414],
  ['a head without end', (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}`, 431],
  [
    'a header of a later packet',
    (path) => `POST ${path} HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(50)}${LATER}a b: c\r\n\r\n`,
    400,
  ],
  [
    'the second of two requests',
    (path) => `POST /publishers HTTP/1.1\r\nHost: a\r\n\r\nPOST ${path} HTTP/1.1\r\nHost: a\r\na b: c\r\n\r\n`,
    400,
  ],
  [
    'the body of the second of two requests',
    (path) =>
      `POST /publishers HTTP/1.1\r\nHost: a\r\n\r\nPOST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    400,
  ],
];
const MESSAGE = expect.any(String) as string;
const V2 = { error: { code: MESSAGE, message: MESSAGE } };
const REGISTRY = { error: MESSAGE, message: MESSAGE };
const VIDEO = { message: MESSAGE, details: [MESSAGE] };

describe('a server on which an API is mounted', () => {
  let shared: NestFastifyApplication;
  let own: NestFastifyApplication;
  beforeAll(async () => {
    shared = await open();
    await mount(shared, '/registry', false);
    await shared.listen(0, '127.0.0.1');
    own = await open(REGISTRY_API);
    await mount(own, '/proxy', true);
    await own.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await shared.close();
    await own.close();
  });

  describe.each(UNREADABLE)('that cannot read %s', (_name, bytes, status) => {
    it.each([
      ['/publishers', V2],
      ['/registryx/publishers', V2],
      ['/registry/publishers', REGISTRY],
      ['/registry/proxy/imagevendor/v1', REGISTRY],
      ['/registry/proxy/videovendor/multiframe', VIDEO],
    ])('answers in the form of %s', async (path, form) => {
      const { head, body } = await send(shared, bytes(path));
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*x-request-id: `, 'i'));
      expect(body).toEqual(form);
    });

    it.each([
      ['/publishers', REGISTRY],
      ['/proxy/imagevendor/v1', REGISTRY],
      ['/proxy/videovendor/multiframe', VIDEO],
    ])('answers in the form of %s on a port of its own', async (path, form) => {
      const { head, body } = await send(own, bytes(path));
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(body).toEqual(form);
    });
  });
});
