import { DuckDBInstance, DuckDBTypeId, StatementType } from '@duckdb/node-api';
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult, DuckDBType } from '@duckdb/node-api';
import { interruptStatements } from '../read-export/interrupt-statements.js';
import { literal } from '../read-export/sql-literal.js';
import { makeViews } from './make-views.js';
import { explainedBy, prepareSelect } from './one-select.js';
import { plainValue, type PlainValue } from './plain-value.js';
import { QueryError, withoutPlace } from './query-error.js';
import { lateError, memoryError } from './query-limits.js';
import type { ColumnKind, QueryColumn, Question } from './query-messages.js';

interface AnswerSink {
  columns(columns: readonly QueryColumn[]): void;
  /** Resolves when the next batch is wanted. */
  rows(batch: readonly (readonly PlainValue[])[]): Promise<void>;
}

const MESSAGE_CHARACTERS = 1_000_000;
const NUMBERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
]);
const INSTANTS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_TZ,
]);

/**
 * Answers one question. Views are made first; then the engine loses every access but to the listed files, and its
 * settings are locked.
 */
export async function answerQuestion(question: Question, answer: AnswerSink): Promise<void> {
  const { sql, params, timeoutMs, memory, parquet: target } = question;
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: memory, threads: '2' });
  const connection = await instance.connect();
  let isLate = false;
  let stopInterrupting = (): void => undefined;
  const timer = setTimeout(() => {
    isLate = true;
    stopInterrupting = interruptStatements(connection);
  }, timeoutMs);
  try {
    await lockEngine(connection, question);
    const judged = await prepareSelect(connection, sql);
    const statement = target === null ? judged.statement : await prepareCopy(connection, judged.sql, target);
    assertParams(statement, Object.keys(params));
    if (Object.keys(params).length > 0) statement.bind(params);
    if (target !== null) return void (await statement.run());
    await send(await statement.stream(), answer);
  } catch (error) {
    // Errors of the engine have no class of their own; another one is a defect.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    throw explained(error, isLate, question);
  } finally {
    clearTimeout(timer);
    stopInterrupting();
    connection.closeSync();
    instance.closeSync();
  }
}

async function lockEngine(connection: DuckDBConnection, { sql, files, parquet: target }: Question): Promise<void> {
  await connection.run("set TimeZone = 'UTC'");
  // Every view reads the end of every file once more.
  await connection.run('set parquet_metadata_cache = true');
  await makeViews(connection, files, explainedBy(sql));
  const allowed = [...files, ...(target === null ? [] : [target])].map(literal).join(', ');
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

/** The engine would refuse the name by an index that nobody gave. */
function assertParams(statement: DuckDBPreparedStatement, given: readonly string[]): void {
  const names = Array.from({ length: statement.parameterCount }, (_, at) => statement.parameterName(at + 1));
  const unknown = given.find((name) => !names.some((known) => known.toLowerCase() === name.toLowerCase()));
  if (unknown === undefined) return;
  const known = names.length === 0 ? 'no parameters' : names.map((name) => `$${name}`).join(', ');
  throw new QueryError('sql_refused', `the query has no parameter $${unknown}; it has ${known}`);
}

/** Writes what the judged text selects. The line end keeps a comment at the end of the text out of what follows. */
async function prepareCopy(connection: DuckDBConnection, sql: string, target: string) {
  if (/^explain\b/i.test(sql)) throw new QueryError('sql_failed', 'EXPLAIN has no rows for a Parquet file');
  const rows = /^(?:describe|desc|show|summarize)\b/i.test(sql) ? `select * from (${sql}\n)` : sql;
  const copy = `copy (${rows}\n) to ${literal(target)} (format parquet, compression zstd, use_tmp_file false)`;
  const statements = await connection.extractStatements(copy);
  if (statements.count !== 1) throw new QueryError('sql_refused', 'the query must be one statement');
  const statement = await statements.prepare(0);
  if (statement.statementType !== StatementType.COPY)
    throw new QueryError('sql_refused', 'the query must be one SELECT');
  return statement;
}

async function send(result: DuckDBResult, answer: AnswerSink): Promise<void> {
  const names = result.deduplicatedColumnNames();
  answer.columns(result.columnTypes().map((type, at) => ({ name: names[at] ?? '', kind: kindOf(type) })));
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    for (const batch of messagesOf(chunk.getRows().map((row) => row.map(plainValue)))) await answer.rows(batch);
  }
}

/** A payload may have a megabyte, and a message is one string. */
function* messagesOf(rows: readonly (readonly PlainValue[])[]): Generator<readonly (readonly PlainValue[])[]> {
  let [batch, characters] = [[] as (readonly PlainValue[])[], 0];
  for (const row of rows) {
    batch.push(row);
    characters += row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (characters < MESSAGE_CHARACTERS) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function sizeOf(value: PlainValue): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 1;
}

function kindOf({ typeId }: DuckDBType): ColumnKind {
  return NUMBERS.has(typeId) ? 'number' : INSTANTS.has(typeId) ? 'instant' : 'text';
}

function explained({ message }: Error, isLate: boolean, { timeoutMs, memory }: Question): QueryError {
  if (isLate) return lateError(timeoutMs);
  return /out of memory|memory limit/i.test(message)
    ? memoryError(memory)
    : new QueryError('sql_failed', withoutPlace(message));
}
