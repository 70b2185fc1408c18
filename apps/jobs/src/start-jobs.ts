import { randomUUID } from 'node:crypto';
import { openBus, peerAddress, watchDisk } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { peerConnector } from '@heddle/composition/call-services';
import { serveCalls } from '@heddle/composition/serve-calls';
import { openRoleDatabase } from '@heddle/composition/role-database';
import { sendWorkersAway, startWorkProtocol } from '@heddle/composition/serve-work';
import {
  CREDITS_PORT,
  JOB_LIMITS_PORT,
  JOB_LOG_PORT,
  JOBS_PORT,
  LEASE_AUTHORITY_PORT,
  PEERS_PORT,
  SURFACES,
  TASK_CREDITS_PORT,
} from '@heddle/contracts-messages';
import type {
  CreditsPort,
  JobLimitsPort,
  JobLogPort,
  JobsPort,
  LeaseAuthorityPort,
  PeersPort,
  TaskCreditsPort,
} from '@heddle/contracts-messages';
import { servedJobs } from '@heddle/internal-api/serve';
import { JOBS_MIGRATIONS, JobsModule, JobsRuntime, LogFormatTooNewError, openCredentialKeys } from '@heddle/jobs';
import { checkpointsOf, jobsSettings } from '@heddle/jobs/settings';

/** One replica of the jobs service. Resolves with its URL for calls. */
export async function startJobs(service: ServiceProcess): Promise<string> {
  const { settings, logger, metrics } = service;
  const address = peerAddress(settings);
  await service.serveOps();
  const credentialKeys = await openCredentialKeys(settings, false);
  const database = await openRoleDatabase(service, JOBS_MIGRATIONS);
  const { bus } = await openBus(service);
  const tracer = await service.openTracer();
  const instanceId = randomUUID();
  const checkpoints = checkpointsOf(settings, null);
  if (checkpoints === null)
    logger.warn(
      'checkpoints of the event log are kept only in the database, where a writer of the log can rewrite them too; set HEDDLE_CHECKPOINTS to a folder outside of it',
    );
  else await watchDisk(service, [{ name: 'checkpoints', path: checkpoints.folder }]);
  const module = JobsModule.register({
    database,
    settings: jobsSettings(settings),
    metrics,
    logger,
    tracer,
    bus,
    address,
    peers: peerConnector(service, instanceId),
    readiness: { push: (check) => service.addReadiness(check) },
    checkpoints,
    credentialKeys,
  });
  service.addRefusals(LogFormatTooNewError);
  const keyed = SURFACES[settings.surface].credential === 'keys' ? await import('./keyed-surface.js') : null;
  const app = await startWorkProtocol(service, [module, ...((await keyed?.keyedModules(service, module)) ?? [])]);
  const ports = {
    jobs: app.get<JobsPort>(JOBS_PORT),
    credits: app.get<CreditsPort>(CREDITS_PORT),
    taskCredits: app.get<TaskCreditsPort>(TASK_CREDITS_PORT),
    jobLimits: app.get<JobLimitsPort>(JOB_LIMITS_PORT),
    jobLog: app.get<JobLogPort>(JOB_LOG_PORT),
    leaseAuthority: app.get<LeaseAuthorityPort>(LEASE_AUTHORITY_PORT),
    peers: app.get<PeersPort>(PEERS_PORT),
    instanceId,
    ...(keyed === null ? {} : { deployments: keyed.deploymentsPorts(app) }),
  };
  const contexts = servedJobs(ports);
  await serveCalls(service, { tracer, contexts });
  // First step of a stop: workers move to another replica while calls are still served.
  service.onStop('jobs in progress', async () => {
    keyed?.releaseFollowers(app);
    await app.get(JobsRuntime).drain();
    await sendWorkersAway(app);
  });
  return address;
}
