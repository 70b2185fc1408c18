import { RequestGate, STREAMED_BODIES, StreamSlots } from '@heddle/gateway';
import { createHttpApplication } from '@heddle/platform-http';
import { METRICS } from '@heddle/platform-telemetry';
import type { Tracer } from '@heddle/platform-telemetry';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { gatewaySettings, httpLimits } from '../service-settings.js';
import { listening } from './listen.js';
import { observeActive, requestObserver } from './observe.js';
import type { ServiceProcess } from './service-process.js';

/** The public HTTP application of a process that has a gateway in it: guarded and counted, closed at its stop. */
export async function createPublicApi(
  service: ServiceProcess,
  root: DynamicModule,
  tracer: Tracer | null,
): Promise<NestFastifyApplication> {
  const { settings, logger, metrics } = service;
  const gate = new RequestGate(gatewaySettings(settings));
  const app = await createHttpApplication(root, {
    limits: httpLimits(settings),
    logger,
    tracer,
    guard: (request, reply) => gate.guard(request, reply),
    admit: (request) => gate.admit(request),
    streamedBodies: STREAMED_BODIES,
    observe: requestObserver(metrics, logger),
  });
  service.onStop(() => app.close());
  return app;
}

/** Takes requests from now on. Resolves with the URL of the API. */
export async function listenForRequests(service: ServiceProcess, app: NestFastifyApplication): Promise<string> {
  const { settings, metrics } = service;
  observeActive(metrics, app.getHttpAdapter().getInstance());
  metrics.gauge(...METRICS.streamsOpen, () => app.get(StreamSlots).total);
  await listening('HEDDLE_PORT', settings.port, () => app.listen(settings.port, settings.host));
  return await app.getUrl();
}
