import { randomUUID } from 'node:crypto';
import { callsAddress, jobsSettings, openBus } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { peerConnector } from '@heddle/composition/call-services';
import { startCalledService } from '@heddle/composition/called-service';
import { openRoleDatabase } from '@heddle/composition/role-database';
import { JOB_LOG_PORT, JOBS_PORT, LEASE_AUTHORITY_PORT, LEASES_PORT } from '@heddle/contracts-messages';
import type { JobLogPort, JobsPort, LeaseAuthorityPort, LeasesPort } from '@heddle/contracts-messages';
import { serveJobs } from '@heddle/internal-api';
import { JOBS_MIGRATIONS, JobsModule, JobsRuntime, LocalPeers, LogFormatTooNewError } from '@heddle/jobs';

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
    readiness: service.readiness,
  });
  service.refusals.push(LogFormatTooNewError);
  const app = await startCalledService(service, {
    module,
    bus,
    tracer,
    serve: (calls, parts) =>
      serveJobs(calls, {
        jobs: parts.get<JobsPort>(JOBS_PORT),
        leases: parts.get<LeasesPort>(LEASES_PORT),
        jobLog: parts.get<JobLogPort>(JOB_LOG_PORT),
        leaseAuthority: parts.get<LeaseAuthorityPort>(LEASE_AUTHORITY_PORT),
        peers: parts.get(LocalPeers),
        instanceId,
      }),
  });
  // First of all at a stop: who waits for work is answered while calls are still served.
  service.onStop(() => app.get(JobsRuntime).drain());
  return address;
}
