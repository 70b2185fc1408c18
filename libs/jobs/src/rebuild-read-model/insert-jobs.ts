import { copyInto } from '@heddle/platform-database';
import type { ClientBase } from 'pg';
import { READ_MODEL_TABLES } from './read-model-tables.js';
import type { ColumnType, JobRows, ReadModelRow, ReadModelTable } from './read-model-tables.js';

/** Inserts the rows of these jobs into a schema's tables, which have no row of them. */
export async function insertJobs(client: ClientBase, schema: string, jobs: readonly JobRows[]): Promise<void> {
  for (const [at, table] of READ_MODEL_TABLES.entries()) {
    const lines = jobs.flatMap((rows) => rows[at]!).map((row) => lineOf(table, row));
    if (lines.length === 0) continue;
    const names = table.columns.map(([column]) => column).join(', ');
    await copyInto(client, `copy ${schema}.${table.name} (${names}) from stdin`, Buffer.from(lines.join('')));
  }
}

/** A row in the text form of COPY. */
function lineOf({ columns }: ReadModelTable, row: ReadModelRow): string {
  return `${row.map((value, at) => fieldOf(value, columns[at]![1])).join('\t')}\n`;
}

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
/** Types whose text never has a special character. */
const PLAIN: ReadonlySet<ColumnType> = new Set(['uuid', 'int', 'timestamptz']);

function fieldOf(value: string | null, type: ColumnType): string {
  if (value === null) return '\\N';
  if (PLAIN.has(type)) return value;
  // `\x` and hex digits.
  if (type === 'bytea') return `\\${value}`;
  return SPECIAL.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (found) => ESCAPES[found]!) : value;
}
