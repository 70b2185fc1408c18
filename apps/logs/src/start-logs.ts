import { callsAddress, openBus } from '@heddle/composition';
import type { ServiceProcess } from '@heddle/composition';
import { JobLogModule } from '@heddle/composition/job-log';
import { startCalledService } from '@heddle/composition/called-service';
import { openRoleDatabase } from '@heddle/composition/role-database';
import { LOGS_PORT } from '@heddle/contracts-messages';
import type { LogsPort } from '@heddle/contracts-messages';
import { servedLogs } from '@heddle/internal-api/serve';
import { LogJobFollower, LOGS_MIGRATIONS, LogsModule } from '@heddle/logs';

/** One replica of the logs service. Resolves with its URL for calls. */
export async function startLogs(service: ServiceProcess): Promise<string> {
  const { settings, metrics } = service;
  await service.serveOps();
  const database = await openRoleDatabase(service, LOGS_MIGRATIONS);
  const { bus } = await openBus(service);
  const tracer = await service.openTracer();
  const app = await startCalledService(service, {
    module: LogsModule.register({ database, metrics, imports: [JobLogModule.register(service, tracer)] }),
    bus,
    tracer,
    contexts: (parts) => servedLogs(parts.get<LogsPort>(LOGS_PORT)),
  });
  const { follower } = app.get(LogJobFollower);
  service.addReadiness({ name: 'missed job events', optional: true, check: () => follower.waitingFor() });
  return callsAddress(settings);
}
