import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get, Module, Res } from '@nestjs/common';
import { createLogger } from '@heddle/platform-telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BodyBudget } from '../bodies/body-budget.js';
import { CONNECTION_DEFAULTS, ConnectionGuard } from './connection-guard.js';
import { createHttpApplication } from '../application/http-application.js';
import { HTTP_DEFAULTS } from '../application/http-limits.js';

let letGo: () => void = () => undefined;
let arrived: () => void = () => undefined;

@Controller()
class HelloController {
  @Get()
  hello(@Res() reply: FastifyReply): void {
    void reply.send('hello');
  }

  /** Answers when `letGo` is called. */
  @Get('slow')
  async slow(@Res() reply: FastifyReply): Promise<void> {
    await new Promise<void>((resolve) => {
      letGo = resolve;
      arrived();
    });
    void reply.send('late');
  }
}

@Module({ controllers: [HelloController] })
class HelloModule {}

describe('a server that is about to stop', () => {
  let app: NestFastifyApplication;
  let guard: ConnectionGuard;
  let agent: Agent;
  beforeEach(async () => {
    guard = new ConnectionGuard(CONNECTION_DEFAULTS);
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    app = await createHttpApplication(HelloModule, {
      limits: HTTP_DEFAULTS,
      logger: createLogger('silent'),
      tracer: null,
      guard: () => null,
      admit: async () => await Promise.resolve(null),
      streamedBodies: new Set(),
      connections: guard,
      bodies: new BodyBudget(100_000),
      observe: () => undefined,
    });
    await app.listen(0, '127.0.0.1');
  });
  afterEach(async () => {
    agent.destroy();
    await app.close();
  });

  /** The header `connection` of an answer. */
  const ask = async (path = '/'): Promise<string | undefined> => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const asked = request({ agent, port, host: '127.0.0.1', path });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await text(answer);
    return answer.headers.connection;
  };

  it('answers on the connections that clients have kept, and sends them elsewhere', async () => {
    expect(await ask()).toBe('keep-alive');
    const left = guard.leave(10_000);
    expect(await ask()).toBe('close');
    // It was the only one, so there is nothing to wait for.
    await left;
    expect(guard.open).toBe(0);
  });

  it('does so for a request that came before', async () => {
    const came = new Promise<void>((resolve) => (arrived = resolve));
    const answered = ask('/slow');
    await came;
    const left = guard.leave(10_000);
    letGo();
    expect(await answered).toBe('close');
    await left;
  });

  it('does not wait for clients that ask nothing', async () => {
    await ask();
    await guard.leave(50);
    expect(guard.open).toBe(1);
  });

  it('does not wait if there are no clients', async () => {
    const began = performance.now();
    await guard.leave(10_000);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
