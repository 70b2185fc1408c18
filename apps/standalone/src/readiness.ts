import type { Database } from '@heddle/platform-database';
import type { ReadinessCheck } from '@heddle/platform-http';
import type { CatalogueHolder } from '@heddle/validation';
import type { DatabaseWatch } from './open-database.js';

const PATIENCE_MS = 2000;

/** What has to be there before jobs can be taken; `/readyz` names what is not. */
export function readinessOf(database: Database, watch: DatabaseWatch, catalogue: CatalogueHolder): ReadinessCheck[] {
  return [
    {
      name: 'database',
      check: async () => {
        if (watch.lost) return 'the database server is being started again';
        const late = new Promise<string>((done) =>
          setTimeout(done, PATIENCE_MS, 'the database does not answer').unref(),
        );
        const asked = database
          .pool('heddle_jobs')
          .query('select 1')
          .then(
            () => null,
            () => 'the database refuses queries',
          );
        return Promise.race([asked, late]);
      },
    },
    {
      name: 'catalogue',
      check: () => (catalogue.current === null ? "the engine's node classes are not known yet" : null),
    },
  ];
}
