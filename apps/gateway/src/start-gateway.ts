import { gatewaySettings, httpLimits, listening, observeActive, openBus, requestObserver } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import type { LiveItem } from '@heddle/contracts-messages';
import { GatewayModule, RequestGate, STREAMED_BODIES, StreamSlots } from '@heddle/gateway';
import { createHttpApplication } from '@heddle/platform-http';
import { JobFeed, MessageBusStrategy } from '@heddle/platform-message-bus';
import { METRICS } from '@heddle/platform-telemetry';
import { RemoteServicesModule } from './remote-services.module.js';

/** One replica of the gateway. Resolves with the URL of the API. */
export async function startGateway(service: ServiceProcess): Promise<string> {
  const { settings: all, logger, metrics } = service;
  await service.serveOps();
  const settings = gatewaySettings(all);
  const { bus, isAway } = await openBus(service);
  const tracer = await service.openTracer();
  const feed = new JobFeed<LiveItem>((error, jobId) => logger.error({ err: error, jobId }, 'a live item failed'));
  const gate = new RequestGate(settings);
  const imports = [RemoteServicesModule.register(service, tracer)];
  const gateway = GatewayModule.register({ settings, feed, imports, liveBus: { isAway }, metrics, tracer });
  const app = await createHttpApplication(gateway, {
    limits: httpLimits(all),
    logger,
    tracer,
    guard: (request, reply) => gate.guard(request, reply),
    admit: (request) => gate.admit(request),
    streamedBodies: STREAMED_BODIES,
    observe: requestObserver(metrics, logger),
  });
  service.onStop(() => app.close());
  app.connectMicroservice({ strategy: new MessageBusStrategy(bus, 'gateway') });
  await app.startAllMicroservices();
  await app.init();
  observeActive(metrics, app.getHttpAdapter().getInstance());
  metrics.gauge(...METRICS.streamsOpen, () => app.get(StreamSlots).total);
  await listening('HEDDLE_PORT', all.port, () => app.listen(all.port, all.host));
  return await app.getUrl();
}
