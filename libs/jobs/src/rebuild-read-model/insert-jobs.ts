import { copyInto } from '@heddle/platform-database';
import type { ClientBase } from 'pg';
import { READ_MODEL_TABLES } from './read-model-tables.js';
import type { FoldedJob, ReadModelRow } from './read-model-tables.js';

/** Inserts the rows of these jobs into a schema's tables, which have no row of them. */
export async function insertJobs(client: ClientBase, schema: string, jobs: readonly FoldedJob[]): Promise<void> {
  for (const { name, columns, rows } of READ_MODEL_TABLES) {
    const lines = jobs.flatMap(rows).map(lineOf);
    if (lines.length === 0) continue;
    const names = columns.map(([column]) => column).join(', ');
    await copyInto(client, `copy ${schema}.${name} (${names}) from stdin`, Buffer.from(lines.join('')));
  }
}

/** A row in the text form of COPY. */
function lineOf(row: ReadModelRow): string {
  return `${row.map(fieldOf).join('\t')}\n`;
}

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function fieldOf(value: string | null): string {
  if (value === null) return '\\N';
  return SPECIAL.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (found) => ESCAPES[found]!) : value;
}
