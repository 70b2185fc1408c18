import type { InboxSession } from '@heddle/platform-message-bus/follow-log';
import type { Pool, QueryResultRow } from 'pg';

/** The pool of the service's own role, as a separate injection token. */
export class LogsDatabase {
  constructor(readonly pool: Pool) {}

  /** Runs one transaction; rolls back if the work throws. */
  async transaction<T>(work: (session: InboxSession) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken = true;
    try {
      await client.query('begin');
      const value = await work({
        query: async <Row extends object>(statement: { name: string; text: string }, values: readonly unknown[]) =>
          (await client.query<Row & QueryResultRow>({ ...statement, values: [...values] })).rows,
      });
      await client.query('commit');
      broken = false;
      return value;
    } finally {
      // Closing the session rolls back.
      client.release(broken);
    }
  }
}
