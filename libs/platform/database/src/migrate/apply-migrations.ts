import type { SchemaMigrations } from './schema-migrations.js';

/**
 * Applies what is missing in one schema with MikroORM's migrator. The ORM is loaded here and only here:
 * a start that finds everything applied does not pay for it.
 */
export async function applyMigrations(ownerUrl: string, { schema, migrations }: SchemaMigrations): Promise<void> {
  const [{ MikroORM }, { Migration, Migrator }] = await Promise.all([
    import('@mikro-orm/postgresql'),
    import('@mikro-orm/migrations'),
  ]);
  const orm = await MikroORM.init({
    clientUrl: ownerUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: {
      tableName: `${schema}.migration`,
      // All steps of a schema in one transaction: a start that fails half-way leaves the schema as it was.
      allOrNothing: true,
      transactional: true,
      // Switching constraints off needs a superuser, and no step should want it.
      disableForeignKeys: false,
      snapshot: false,
      silent: true,
      migrationsList: migrations.map(({ name, up }) => ({
        name,
        class: class extends Migration {
          override up(): void {
            this.addSql(up);
          }
        },
      })),
    },
  });
  try {
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}
