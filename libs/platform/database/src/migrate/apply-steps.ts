import type { MikroORM } from '@mikro-orm/postgresql';
import { patiently } from './patiently.js';
import { runOnline } from './run-online.js';
import type { SchemaMigrations } from './schema-migrations.js';

/**
 * Lock time-out of a step's statement. A session that queues for an exclusive lock blocks everyone behind it, so this
 * bounds what services notice of a step on a busy table; the step is retried.
 */
const LOCK_TIMEOUT_MS = 1_000;

/**
 * Applies steps of one schema with MikroORM's migrator, one by one: after a failure the earlier steps stay applied, and
 * a transactional step leaves nothing. Only this function loads the ORM: a start with nothing to apply does not pay for
 * it.
 */
export async function applySteps(
  ownerUrl: string,
  service: SchemaMigrations,
  pending: readonly string[],
): Promise<void> {
  const orm = await openMigrator(ownerUrl, service);
  try {
    for (const name of pending) {
      await patiently(`step ${service.schema}/${name}`, async () => await orm.migrator.up({ migrations: [name] }));
    }
  } finally {
    await orm.close(true);
  }
}

async function openMigrator(ownerUrl: string, { schema, migrations }: SchemaMigrations): Promise<MikroORM> {
  const [{ MikroORM: Orm }, { Migration, Migrator }] = await Promise.all([
    import('@mikro-orm/postgresql'),
    import('@mikro-orm/migrations'),
  ]);
  return await Orm.init({
    clientUrl: ownerUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    driverOptions: { lock_timeout: LOCK_TIMEOUT_MS, application_name: 'heddle-migrate' },
    migrations: {
      tableName: `${schema}.migration`,
      allOrNothing: false,
      transactional: true,
      // Disabling constraints needs a superuser, and no step should need it.
      disableForeignKeys: false,
      snapshot: false,
      silent: true,
      migrationsList: migrations.map((step) => ({
        name: step.name,
        class: class extends Migration {
          override isTransactional(): boolean {
            return 'up' in step;
          }

          override async up(): Promise<void> {
            if ('up' in step) this.addSql(step.up);
            else await runOnline(this.driver, schema, step);
          }
        },
      })),
    },
  });
}
