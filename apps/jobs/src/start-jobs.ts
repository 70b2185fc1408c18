import { randomUUID } from 'node:crypto';
import {
  callsAddress,
  callServer,
  jobsSettings,
  listenForCalls,
  openBus,
  openRoleDatabase,
  peerConnector,
} from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { JOBS_PORT, LEASES_PORT } from '@heddle/contracts-messages';
import type { JobsPort, LeasesPort } from '@heddle/contracts-messages';
import { serveJobs } from '@heddle/internal-api';
import { JOBS_MIGRATIONS, JobsModule, JobsRuntime, LocalPeers } from '@heddle/jobs';
import { MessageBusStrategy } from '@heddle/platform-message-bus';
import { NestFactory } from '@nestjs/core';

/** One replica of the jobs service. Resolves with the URL that takes its calls. */
export async function startJobs(service: ServiceProcess): Promise<string> {
  const { settings, logger, metrics } = service;
  await service.serveOps();
  const database = await openRoleDatabase(service, JOBS_MIGRATIONS);
  const { bus } = await openBus(service);
  const tracer = await service.openTracer();
  const address = callsAddress(settings);
  const instanceId = randomUUID();
  const module = JobsModule.register({
    database,
    settings: jobsSettings(settings),
    metrics,
    logger,
    tracer,
    bus,
    address,
    peers: peerConnector(service, instanceId),
  });
  const app = await NestFactory.createMicroservice(module, {
    strategy: new MessageBusStrategy(bus, 'jobs'),
    logger: service.nestLog,
  });
  const calls = callServer(service, tracer);
  serveJobs(calls, {
    jobs: app.get<JobsPort>(JOBS_PORT),
    leases: app.get<LeasesPort>(LEASES_PORT),
    peers: app.get(LocalPeers),
    instanceId,
  });
  service.onStop(() => app.close());
  await app.listen();
  await listenForCalls(service, calls);
  // First of all at a stop: who waits for work is answered while calls are still served.
  service.onStop(() => app.get(JobsRuntime).drain());
  return address;
}
