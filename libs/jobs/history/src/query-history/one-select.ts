import { StatementType } from '@duckdb/node-api';
import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { QueryError, withoutPlace } from './query-error.js';

const ALLOWED = 'one SELECT, WITH, VALUES, DESCRIBE, SHOW or EXPLAIN';
const COMMENT = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;
const FIRST_WORD = /^\(*\s*(select|with|values|from|describe|desc|show|summarize|explain)\b/i;
const EXPLAIN = /^explain\s+(analyze\s+)?/i;

interface JudgedSelect {
  /** The text that was judged: without what stands before it, and with a normal head of EXPLAIN. */
  readonly sql: string;
  readonly statement: DuckDBPreparedStatement;
}

/** The statement that an EXPLAIN explains; another one itself. */
export function explainedBy(sql: string): string {
  return sql.replace(COMMENT, '').replace(EXPLAIN, '').replace(COMMENT, '');
}

/**
 * Prepares the one statement of a question and refuses everything that is not a question. Preparing executes nothing;
 * a COPY to a file of the export would otherwise be possible, also behind EXPLAIN ANALYZE, which executes.
 */
export async function prepareSelect(connection: DuckDBConnection, sql: string): Promise<JudgedSelect> {
  const text = sql.replace(COMMENT, '');
  if (text.trim() === '') throw refused('it is empty');
  if (!FIRST_WORD.test(text)) throw refused(`it begins with "${/^\S{1,40}/.exec(text)?.[0] ?? ''}"`);
  if (/^explain\b/i.test(text)) {
    const explained = explainedBy(text);
    const head = /^explain\s+analyze\b/i.test(text) ? 'explain analyze' : 'explain';
    if (!FIRST_WORD.test(explained) || /^explain\b/i.test(explained)) throw refused('EXPLAIN must explain a SELECT');
    await preparedAs(connection, explained, StatementType.SELECT);
    // Built of what was judged: the engine nests comments, so its EXPLAIN of the text could be of another statement.
    const judged = `${head} ${explained}`;
    return { sql: judged, statement: await preparedAs(connection, judged, StatementType.EXPLAIN) };
  }
  return { sql: text, statement: await preparedAs(connection, text, StatementType.SELECT) };
}

async function preparedAs(
  connection: DuckDBConnection,
  sql: string,
  type: StatementType,
): Promise<DuckDBPreparedStatement> {
  const statements = await connection.extractStatements(sql).catch((error: unknown) => {
    throw refused(withoutPlace((error as Error).message));
  });
  if (statements.count !== 1) throw refused(`there are ${statements.count} statements`);
  const statement = await statements.prepare(0).catch(async (error: unknown) => {
    const message = withoutPlace((error as Error).message);
    throw (await isSelect(connection, sql)) ? new QueryError('sql_failed', message) : refused(message);
  });
  if (statement.statementType !== type) throw refused('it is another statement');
  return statement;
}

/** Whether it is a SELECT that cannot be answered: a column that is not there, for example. The engine serializes nothing else. */
async function isSelect(connection: DuckDBConnection, sql: string): Promise<boolean> {
  const reader = await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [sql]);
  const [[form]] = reader.getRows() as [[unknown]];
  return (JSON.parse(String(form)) as { readonly error?: unknown }).error === false;
}

function refused(why: string): QueryError {
  return new QueryError('sql_refused', `the query must be ${ALLOWED}: ${why}`);
}
