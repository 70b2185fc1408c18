import { connectService, DatabaseRefusedError, SchemaTooOldError } from '@heddle/platform-database';
import type { SchemaMigrations, ServiceDatabase } from '@heddle/platform-database';
import type { ServiceProcess } from '../process/service-process.js';
import { observePools } from './observe-pools.js';
import { SettingRefused } from '@heddle/platform-settings';

/** Opens one service's schema with its role, and reports in `/readyz` while the database is away. */
export async function openRoleDatabase(service: ServiceProcess, schema: SchemaMigrations): Promise<ServiceDatabase> {
  const { settings, name } = service;
  if (settings.databaseUrl === null) {
    throw new SettingRefused(
      `HEDDLE_DATABASE_URL is unset: the ${name} service needs the URL of the role ${schema.role} (heddle migrate prints it)`,
    );
  }
  service.addRefusals(DatabaseRefusedError, SchemaTooOldError);
  let waiting: string | null = 'the database was not reached yet';
  let database: ServiceDatabase | null = null;
  service.addReadiness({ name: 'database', check: () => database?.probe() ?? waiting });
  database = await connectService({
    databaseUrl: settings.databaseUrl,
    service: schema,
    applicationName: `heddle-${name}`,
    signal: service.stopping,
    onWaiting: (why) => {
      if (why !== null && why !== waiting) service.logger.warn({ why }, 'waiting for the database');
      waiting = why;
    },
  });
  const opened = database;
  service.onStop('database', () => opened.close());
  const role = schema.role ?? schema.schema;
  observePools(service.metrics, [
    [name, opened.pool(role)],
    [`${name}-reads`, opened.pool(role, 'reads')],
  ]);
  return opened;
}
