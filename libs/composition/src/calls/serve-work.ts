import { defaultPoolOf, WORK_PORT } from '@heddle/contracts-messages';
import type { ServedWorkPort } from '@heddle/contracts-messages';
import { WORKER_PROTOCOL, WorkController, WorkStreams } from '@heddle/internal-api/serve-work';
import { grpcStrategy } from '@heddle/platform-service-calls/serve';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { JOBS_METRICS } from '@heddle/jobs';
import { listening } from '../process/listen.js';
import type { ServiceProcess } from '../process/service-process.js';
import { networkLimits } from '../settings/process-settings.js';
import { refusePlainListener } from './plain-calls.js';
import { tokenRules } from './calls-settings.js';
import { renewedCallsTls } from './renew-tls.js';
import { PROCESS_METRICS } from '../metrics.js';

class WorkProtocolModule {}

/**
 * Serves workers on HEDDLE_WORK_PORT, with the controllers of the jobs service and what runs beside it. Resolves when it
 * accepts them.
 */
export async function startWorkProtocol(
  service: ServiceProcess,
  modules: readonly DynamicModule[],
): Promise<INestApplicationContext> {
  const { settings, logger, metrics, nestLog } = service;
  refusePlainListener(settings);
  const refused = metrics.counter(PROCESS_METRICS.callsRefused);
  const ended = metrics.counter(JOBS_METRICS.workStreamsEnded);
  const unreadable = metrics.counter(JOBS_METRICS.workerEventsDropped);
  const strategy = grpcStrategy({
    ...WORKER_PROTOCOL,
    host: settings.callsHost,
    port: settings.workPort,
    tokens: tokenRules(service),
    tls: renewedCallsTls(service),
    logger,
    connections: service.ports.guard('work'),
    bodies: service.bodies,
    headMs: networkLimits(settings).headMs,
    observe: ({ status }) => {
      ended.inc({ status });
      if (status === 'UNAUTHENTICATED' || status === 'PERMISSION_DENIED') refused.inc({ status });
    },
  });
  const watch = { refused: (reason: string) => unreadable.inc({ reason }) };
  const streams = {
    provide: WorkStreams,
    inject: [WORK_PORT],
    useFactory: (work: ServedWorkPort) => new WorkStreams(work, watch, defaultPoolOf(settings.surface)),
  };
  const module = {
    module: WorkProtocolModule,
    imports: [...modules],
    controllers: [WorkController],
    providers: [streams],
  };
  const app = await NestFactory.createMicroservice(module, { strategy, logger: nestLog });
  service.onStop('workers', () => app.close());
  await listening('HEDDLE_WORK_PORT', settings.workPort, () => app.listen());
  metrics.gauge(JOBS_METRICS.workStreams, () => app.get(WorkStreams).size);
  return app;
}

/** First step of a stop: workers move to another replica while calls are still served. */
export async function sendWorkersAway(app: INestApplicationContext): Promise<void> {
  await app.get(WorkStreams).end();
}
