import type { AddressInfo } from 'node:net';
import { GATEWAY_METRICS, REPEATABLE, RequestGate, STREAMED_BODIES, StreamSlots } from '@heddle/gateway';
import { createHttpApplication } from '@heddle/platform-http';
import type { Tracer } from '@heddle/platform-telemetry';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { httpLimits } from './http-limits.js';
import { assertPortsFree, listening } from './listen.js';
import { openAddressLines, urlOf } from './listen-address.js';
import { observeActive, requestObserver } from './observe-requests.js';
import type { ServiceProcess } from './service-process.js';
import { startLines } from './start-lines.js';
import type { StartFact } from './start-lines.js';

/** The public HTTP application of a process with a gateway: guarded, counted, closed at its stop. */
export async function createPublicApi(
  service: ServiceProcess,
  root: DynamicModule,
  tracer: Tracer | null,
): Promise<NestFastifyApplication> {
  const { settings, logger, metrics } = service;
  const connections = service.ports.guard('api');
  const app = await createHttpApplication(root, {
    limits: httpLimits(settings),
    logger,
    tracer,
    verify: (request) => gate.verify(request),
    guard: (request, reply) => gate.guard(request, reply),
    admit: (request) => gate.admit(request),
    accountOf: (request) => gate.accountOf(request),
    streamedBodies: STREAMED_BODIES,
    repeatable: REPEATABLE,
    connections,
    bodies: service.bodies,
    observe: requestObserver(metrics, logger),
  });
  // Requests come only once it listens.
  const gate = app.get(RequestGate);
  service.onStop('requests, messages and use cases', async () => {
    await connections.leave();
    await app.close();
  });
  return app;
}

/** Ports of a process with a public API: if one is taken, the start is refused before anything else runs. */
export async function assertApiPortsFree({ settings }: Pick<ServiceProcess, 'settings'>): Promise<void> {
  const { host, port, opsHost, effectiveOpsPort } = settings;
  await assertPortsFree([
    { setting: 'HEDDLE_PORT', host, port },
    { setting: 'HEDDLE_OPS_PORT', host: opsHost, port: effectiveOpsPort },
  ]);
}

/**
 * Accepts requests. On a terminal it prints where everything is, including `facts`. Resolves with the URL of the API.
 */
export async function listenForRequests(
  service: ServiceProcess,
  app: NestFastifyApplication,
  facts: readonly StartFact[] = [],
): Promise<string> {
  const { settings, metrics } = service;
  observeActive(metrics, app.getHttpAdapter().getInstance());
  metrics.gauge(GATEWAY_METRICS.streamsOpen, () => app.get(StreamSlots).total);
  await listening('HEDDLE_PORT', settings.port, () => app.listen(settings.port, settings.host));
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { healthUrl } = service;
  const lines =
    process.stderr.isTTY === true
      ? startLines(settings, port, [...facts, ['health', healthUrl ?? 'not served']], process)
      : openAddressLines(settings, port).map((line) => `heddle: ${line}`);
  for (const line of lines) process.stderr.write(`${line}\n`);
  return urlOf(settings.host, port);
}
