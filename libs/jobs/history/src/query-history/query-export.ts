import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import { TABLE_COLUMNS } from '../read-export/event-columns.js';
import type { ExportFolder } from '../read-export/export-folder.js';
import { parquet } from '../read-export/export-source.js';
import type { ExportManifest } from '../read-export/manifest.js';
import { plainValue, type PlainValue } from './plain-value.js';
import { prepareSelect } from './one-select.js';
import { QueryError } from './query-error.js';
import { RELATIONS } from './relations.sql.js';

export interface QueryOptions {
  readonly sql: string;
  /** Values of `$name`, as texts. */
  readonly params: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** As DuckDB writes it: 400MB. */
  readonly memory: string;
  readonly signal: AbortSignal;
}

export interface QueryRows {
  readonly columns: readonly string[];
  /** Rows in batches; read them before the function that got them returns. */
  rows(): AsyncIterable<readonly (readonly PlainValue[])[]>;
}

/**
 * Asks one question over an export, or over an empty log if it is null. Views are made first; then the engine loses
 * every access but to the listed files, and its settings are locked.
 */
export async function queryExport<T>(
  folder: ExportFolder,
  manifest: ExportManifest | null,
  options: QueryOptions,
  use: (found: QueryRows) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: options.memory, threads: '2' });
  const connection = await instance.connect();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    connection.interrupt();
  }, options.timeoutMs);
  const interrupt = (): void => connection.interrupt();
  options.signal.addEventListener('abort', interrupt, { once: true });
  try {
    // An abort before the listener was there is heard here.
    options.signal.throwIfAborted();
    await prepareEngine(connection, manifest === null ? [] : pathsOf(folder, manifest));
    const statement = await prepareSelect(connection, options.sql);
    if (Object.keys(options.params).length > 0) statement.bind(options.params);
    const result = await statement.stream();
    return await use({ columns: result.deduplicatedColumnNames(), rows: () => batchesOf(result) });
  } catch (error) {
    options.signal.throwIfAborted();
    // Errors of the engine have no class of their own; another one is the caller's.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    throw explained(error, isLate, options);
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', interrupt);
    connection.closeSync();
    instance.closeSync();
  }
}

async function prepareEngine(connection: DuckDBConnection, paths: readonly string[]): Promise<void> {
  await connection.run("set TimeZone = 'UTC'");
  const exportedAt = 'exported_at TIMESTAMP WITH TIME ZONE';
  if (paths.length === 0) await connection.run(`create table events (${TABLE_COLUMNS}, ${exportedAt})`);
  else await connection.run(`create view events as select * from ${parquet(paths)}`);
  for (const [name, sql] of RELATIONS) await connection.run(`create view ${name} as ${sql}`);
  const allowed = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ');
  // The order matters: a locked setting cannot be changed any more.
  for (const setting of [
    `allowed_paths = [${allowed}]`,
    "temp_directory = ''",
    'autoinstall_known_extensions = false',
    'autoload_known_extensions = false',
    'allow_community_extensions = false',
    'enable_external_access = false',
    'lock_configuration = true',
  ])
    await connection.run(`set ${setting}`);
}

function pathsOf(folder: ExportFolder, { segments }: ExportManifest): string[] {
  return segments.flatMap(({ files }) => files.map(({ path }) => folder.pathOf(path)));
}

async function* batchesOf(result: DuckDBResult): AsyncGenerator<readonly (readonly PlainValue[])[]> {
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk.getRows().map((row) => row.map(plainValue));
  }
}

function explained({ message }: Error, isLate: boolean, { timeoutMs, memory }: QueryOptions): QueryError {
  if (isLate) return new QueryError('sql_limit', `the query took longer than ${timeoutMs / 1_000} s (--timeout-s)`);
  if (/out of memory|memory limit/i.test(message))
    return new QueryError('sql_limit', `the query needs more memory than ${memory} (--memory)`);
  return new QueryError('sql_failed', message);
}
