import type { Database } from '@heddle/platform-database';
import type { ReadinessCheck } from '@heddle/platform-http';
import type { CatalogueHolder } from '@heddle/validation';
import type { DatabaseWatch } from './open-database.js';

/** The database of standalone, which may be a server of its own. */
export function databaseReadiness(database: Database, watch: DatabaseWatch): ReadinessCheck {
  return {
    name: 'database',
    check: () =>
      watch.lost
        ? 'the database server is being started again'
        : database
            .pool('heddle_jobs')
            .query('select 1')
            .then(
              () => null,
              () => 'the database refuses queries',
            ),
  };
}

/** Without node classes no graph can be judged. */
export function catalogueReadiness(catalogue: CatalogueHolder): ReadinessCheck {
  return {
    name: 'catalogue',
    check: () => (catalogue.current === null ? "the engine's node classes are not known yet" : null),
  };
}
