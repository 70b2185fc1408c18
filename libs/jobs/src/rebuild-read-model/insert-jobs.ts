import type { ClientBase } from 'pg';
import { READ_MODEL_TABLES } from './read-model-tables.js';
import type { FoldedJob, ReadModelRow, ReadModelTable } from './read-model-tables.js';

/** Inserts the rows of these jobs into a schema's tables. */
export async function insertJobs(client: ClientBase, schema: string, jobs: readonly FoldedJob[]): Promise<void> {
  for (const table of READ_MODEL_TABLES) {
    const rows = jobs.flatMap((job) => table.rows(job));
    if (rows.length > 0) await client.query(insertSql(schema, table), insertValues(table, rows));
  }
}

/** Inserts rows given as one text array per column, starting at $1. */
function insertSql(schema: string, { name, columns }: ReadModelTable): string {
  const names = columns.map(([column]) => column).join(', ');
  const parameters = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const typed = columns.map(([column, type]) => `${column}::${type}`).join(', ');
  return `insert into ${schema}.${name} (${names}) select ${typed} from unnest(${parameters}) as n(${names}) on conflict do nothing`;
}

/** The parameters of `insertSql`. */
function insertValues({ columns }: ReadModelTable, rows: readonly ReadModelRow[]): (string | null)[][] {
  return columns.map((_, at) => rows.map((row) => row[at] ?? null));
}
