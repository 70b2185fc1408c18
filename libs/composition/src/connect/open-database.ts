import {
  connectDatabase,
  DatabaseAwayError,
  DatabaseRefusedError,
  EmbeddedServerError,
  isServerLost,
  ServiceRolesMissingError,
  DataFolderInUseError,
  DataFolderRefusedError,
  SchemaTooNewError,
  SchemaTooOldError,
  SERVER_NOTICES,
} from '@heddle/platform-database';
import { JOBS_ROLE } from '@heddle/jobs';
import type { Database, ServerNotice } from '@heddle/platform-database';
import type { ReadinessCheck } from '@heddle/platform-http/ops-server';
import type { ServiceProcess } from '../process/service-process.js';
import { PROCESS_METRICS } from '../metrics.js';

/** State of the database server between two queries. */
interface DatabaseWatch {
  lost: boolean;
}

/** Connects, and tracks the supervision of an embedded server. */
export async function openDatabase(
  service: ServiceProcess,
  dataDir: string,
): Promise<{ database: Database; watch: DatabaseWatch }> {
  const { settings, logger, metrics } = service;
  service.addRefusals(DatabaseRefusedError, DataFolderInUseError, DataFolderRefusedError, SchemaTooOldError);
  service.addRefusals(ServiceRolesMissingError, SchemaTooNewError);
  service.addTroubles(DatabaseAwayError, EmbeddedServerError);
  const watch: DatabaseWatch = { lost: false };
  const restarts = metrics.counter(PROCESS_METRICS.databaseRestarts);
  const onNotice = (notice: ServerNotice): void => {
    watch.lost = isServerLost(notice);
    if (notice.kind === 'restarted') restarts.inc();
    const level = watch.lost ? 'error' : 'info';
    logger[level]({ ...notice, err: 'error' in notice ? notice.error : undefined }, SERVER_NOTICES[notice.kind]);
  };
  const options = settings.databaseUrl === null ? { dataDir } : { databaseUrl: settings.databaseUrl };
  const database = await connectDatabase({
    ...options,
    applicationName: 'heddle',
    poolSize: settings.databasePool,
    onNotice,
    stopping: service.stopping,
  });
  service.onStop('database', () => database.close());
  return { database, watch };
}

/** Standalone's database, which may be an external server. */
export function databaseReadiness(database: Database, watch: DatabaseWatch): ReadinessCheck {
  return {
    name: 'database',
    check: () =>
      watch.lost
        ? 'the connection to the database server was lost and is being opened again'
        : database.probe(JOBS_ROLE).then(
            () => null,
            () => 'the database refuses queries',
          ),
  };
}
