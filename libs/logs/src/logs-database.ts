import { inTransaction } from '@heddle/platform-database';
import type { InboxSession } from '@heddle/platform-message-bus/follow-log';
import type { Pool, QueryResultRow } from 'pg';

/** The pool of the service's own role, as a separate injection token. */
export class LogsDatabase {
  constructor(readonly pool: Pool) {}

  async transaction<T>(work: (session: InboxSession) => Promise<T>): Promise<T> {
    return await inTransaction(this.pool, async (client) => {
      return await work({
        query: async <Row extends object>(statement: { name: string; text: string }, values: readonly unknown[]) =>
          (await client.query<Row & QueryResultRow>({ ...statement, values: [...values] })).rows,
      });
    });
  }
}
