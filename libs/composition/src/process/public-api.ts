import type { AddressInfo } from 'node:net';
import { GATEWAY_METRICS, GatewaySettings, RequestGate, STREAMED_BODIES, StreamSlots } from '@heddle/gateway';
import { createHttpApplication, HTTP_DEFAULTS } from '@heddle/platform-http';
import type { HttpLimits } from '@heddle/platform-http';
import type { Tracer } from '@heddle/platform-telemetry';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { gatewaySettings } from '../service-settings.js';
import type { Settings } from '../settings/settings.js';
import { guardConnections } from './guard-connections.js';
import { listening } from './listen.js';
import { openAddressLines, urlOf } from './listen-address.js';
import { observeActive, requestObserver } from './observe-requests.js';
import type { ServiceProcess } from './service-process.js';

/** The public HTTP application of a process that has a gateway in it: guarded and counted, closed at its stop. */
export async function createPublicApi(
  service: ServiceProcess,
  root: DynamicModule,
  tracer: Tracer | null,
): Promise<NestFastifyApplication> {
  const { settings, logger, metrics } = service;
  const gate = new RequestGate(new GatewaySettings(gatewaySettings(settings)));
  const app = await createHttpApplication(root, {
    limits: httpLimits(settings),
    logger,
    tracer,
    guard: (request, reply) => gate.guard(request, reply),
    admit: (request) => gate.admit(request),
    streamedBodies: STREAMED_BODIES,
    connections: guardConnections(service, 'api'),
    bodies: service.bodies,
    observe: requestObserver(metrics, logger),
  });
  service.onStop(() => app.close());
  return app;
}

/** Takes requests from now on. Resolves with the URL of the API. */
export async function listenForRequests(service: ServiceProcess, app: NestFastifyApplication): Promise<string> {
  const { settings, metrics } = service;
  observeActive(metrics, app.getHttpAdapter().getInstance());
  metrics.gauge(GATEWAY_METRICS.streamsOpen, () => app.get(StreamSlots).total);
  await listening('HEDDLE_PORT', settings.port, () => app.listen(settings.port, settings.host));
  const { port } = app.getHttpServer().address() as AddressInfo;
  for (const line of openAddressLines(settings, port)) process.stderr.write(`heddle: ${line}\n`);
  return urlOf(settings.host, port);
}

/** The environment's settings in the HTTP application's own terms. */
export function httpLimits(settings: Settings): HttpLimits {
  const requestTimeoutMs = Math.max(HTTP_DEFAULTS.requestTimeoutMs, settings.uploadTimeout * 1000 + 30_000);
  return {
    ...HTTP_DEFAULTS,
    bodyBytes: settings.bodyBytes,
    urlBytes: settings.urlBytes,
    headerBytes: settings.headerBytes,
    headerCount: settings.headerLines,
    bodyTimeoutMs: settings.bodyTimeout * 1000,
    headersTimeoutMs: settings.headersTimeout * 1000,
    requestTimeoutMs,
  };
}
