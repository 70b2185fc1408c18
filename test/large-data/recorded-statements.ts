import type { Database } from '@heddle/platform-database';
import type pg from 'pg';

export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Time from the call to the last row */
  readonly ms: number;
}

export interface RecordedStatements {
  /** The database with recording pools */
  readonly database: Database;
  all(): readonly RecordedStatement[];
  clear(): void;
}

/** Records every statement through the pools of this database, with its values and time. */
export function recordStatements(database: Database): RecordedStatements {
  const statements: RecordedStatement[] = [];
  const wrapped = new Set<pg.Pool>();
  const follow = (pool: pg.Pool): pg.Pool => {
    if (wrapped.has(pool)) return pool;
    wrapped.add(pool);
    pool.on('connect', (client) => record(client, statements));
    return pool;
  };
  const pool = database.pool.bind(database);
  database.pool = (role: string) => follow(pool(role));
  return { database, all: () => statements, clear: () => void (statements.length = 0) };
}

type Query = (...args: unknown[]) => unknown;

function record(client: pg.ClientBase, statements: RecordedStatement[]): void {
  const query = client.query.bind(client) as Query;
  client.query = ((...args: unknown[]) => {
    const [asked, given] = args as [string | { readonly text: string; readonly values?: unknown[] }, unknown];
    const text = typeof asked === 'string' ? asked : asked.text;
    const values = (typeof asked === 'string' ? undefined : asked.values) ?? (Array.isArray(given) ? given : []);
    const began = performance.now();
    const note = (): void => void statements.push({ text, values, ms: performance.now() - began });
    const last = args.at(-1);
    if (typeof last === 'function') {
      return query(...args.slice(0, -1), (...answer: unknown[]) => {
        note();
        (last as Query)(...answer);
      });
    }
    const answer = query(...args);
    if (answer instanceof Promise) void answer.then(note, () => undefined);
    return answer;
  }) as typeof client.query;
}
