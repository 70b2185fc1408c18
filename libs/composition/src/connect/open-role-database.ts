import { connectService, DatabaseRefusedError, SchemaTooNewError, SchemaTooOldError } from '@heddle/platform-database';
import type { SchemaMigrations, ServiceDatabase } from '@heddle/platform-database';
import type { ServiceProcess } from '../process/service-process.js';
import { observePools } from './observe-pools.js';
import { SettingRefused } from '@heddle/platform-settings';

/** The setting with the URL of a role. */
interface RoleUrl {
  readonly setting: 'DATABASE_URL' | 'ACCOUNTS_DATABASE_URL' | 'DEPLOYMENTS_DATABASE_URL';
  readonly url: string | null;
  /** The service in metrics. */
  readonly service: string;
}

/**
 * Opens one service's schema with its role, and reports in `/readyz` while the database is unreachable. `from`: where
 * the URL is, if not in HEDDLE_DATABASE_URL.
 */
export async function openRoleDatabase(
  service: ServiceProcess,
  schema: SchemaMigrations,
  from: RoleUrl = { setting: 'DATABASE_URL', url: service.settings.databaseUrl, service: service.name },
): Promise<ServiceDatabase> {
  if (from.url === null) {
    throw new SettingRefused(
      `HEDDLE_${from.setting} is unset: the ${service.name} service needs the URL of the role ${schema.role} (heddle migrate prints it)`,
    );
  }
  service.addRefusals(DatabaseRefusedError, SchemaTooOldError, SchemaTooNewError);
  let waiting: string | null = 'the database was not reached yet';
  let database: ServiceDatabase | null = null;
  const name = from.service === service.name ? 'database' : `database of ${from.service}`;
  service.addReadiness({ name, check: () => database?.probe() ?? waiting });
  database = await connectService({
    databaseUrl: from.url,
    setting: `HEDDLE_${from.setting}`,
    service: schema,
    applicationName: `heddle-${service.name}`,
    poolSize: service.settings.databasePool,
    signal: service.stopping,
    onWaiting: (why) => {
      if (why !== null && why !== waiting) service.logger.warn({ why }, 'waiting for the database');
      waiting = why;
    },
  });
  const opened = database;
  service.onStop(name, () => opened.close());
  const role = schema.role ?? schema.schema;
  observePools(service.metrics, [
    [from.service, opened.pool(role)],
    [`${from.service}-reads`, opened.pool(role, 'reads')],
  ]);
  return opened;
}
