import 'reflect-metadata';
import { Controller, Get, Inject, Module } from '@nestjs/common';
import { createHttpApplication, HTTP_DEFAULTS } from '@heddle/platform-http';
import { BodyBudget } from '@heddle/platform-http/body-budget';
import { CONNECTION_DEFAULTS, ConnectionGuard } from '@heddle/platform-http/connection-guard';
import { carryCallContext, currentCallContext } from '@heddle/platform-service-calls';
import { BytesClient } from '@heddle/platform-service-calls/bytes';
import type { ByteRoute, ServedCalls } from '@heddle/platform-service-calls/serve';
import { createLogger } from '@heddle/platform-telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesTo, servingCalls } from './grpc-servers.js';

@Controller('ask')
class AskController {
  constructor(@Inject(BytesClient) private readonly client: BytesClient) {}

  @Get()
  async ask(): Promise<unknown> {
    await new Promise((resolve) => setImmediate(resolve));
    return (await this.client.download({ path: '/v1/context', head: null })).head;
  }
}

describe('a request to a public part', () => {
  let server: ServedCalls;
  let client: BytesClient;
  let app: NestFastifyApplication;
  beforeAll(async () => {
    const handle: Extract<ByteRoute, { kind: 'download' }>['handle'] = () =>
      Promise.resolve({ head: currentCallContext(), body: null });
    const bytes: ByteRoute[] = [{ kind: 'download', path: '/v1/context', openTo: ['gateway'], handle }];
    server = await servingCalls([], { bytes });
    client = bytesTo('jobs', [server.url]);
    const module = {
      module: class AskModule {},
      controllers: [AskController],
      providers: [{ provide: BytesClient, useValue: client }],
    };
    Module({})(module.module);
    app = await createHttpApplication(module, {
      limits: HTTP_DEFAULTS,
      logger: createLogger('silent'),
      tracer: null,
      guard: () => null,
      admit: () => Promise.resolve(null),
      streamedBodies: new Set(),
      connections: new ConnectionGuard(CONNECTION_DEFAULTS),
      bodies: new BodyBudget(1024 ** 2),
      observe: () => undefined,
    });
    app.getHttpAdapter().getInstance().addHook('onRequest', carryCallContext);
    await app.init();
  });
  afterAll(async () => {
    await app.close();
    await client.close();
    await server.close();
  });

  it('gives its id and its trace to every call that it causes, and to no other request', async () => {
    const traceOf = (n: number): string => `00-${String(n).padStart(32, 'a')}-${'b'.repeat(16)}-01`;
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        app.inject({
          method: 'GET',
          url: '/ask',
          headers: { 'x-request-id': `r-${n}`, traceparent: traceOf(n), host: 'x' },
        }),
      ),
    );
    expect(answers.map((answer) => answer.json<unknown>())).toEqual(
      [1, 2, 3, 4].map((n) => ({ requestId: `r-${n}`, traceparent: traceOf(n) })),
    );
  });
});
