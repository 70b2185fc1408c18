import type { MikroORM } from '@mikro-orm/postgresql';
import { patiently } from './patiently.js';
import { runOnline } from './run-online.js';
import type { SchemaMigrations } from './schema-migrations.js';

/**
 * How long a statement of a step queues for its lock. Whoever queues for an exclusive lock holds up everybody behind it,
 * so this is what a service notices at most of a step whose table is busy; the step is tried again then.
 */
const LOCK_TIMEOUT_MS = 1_000;

/**
 * Applies the named steps of one schema with MikroORM's migrator, each by itself: a step that fails leaves those before
 * it applied, and of a transactional one nothing. The ORM is loaded here and only here: a start that finds everything
 * applied does not pay for it.
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
      // Switching constraints off needs a superuser, and no step should want it.
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
