import type { Pool, QueryResultRow } from 'pg';

/** A named prepared statement, planned once per connection. */
interface AccountStatement {
  readonly name: string;
  readonly text: string;
}

/** The pool of the context's own role, as a separate injection token. */
export class AccountsDatabase {
  constructor(private readonly pool: Pool) {}

  async query<Row extends QueryResultRow>(statement: AccountStatement, values: readonly unknown[]): Promise<Row[]> {
    return (await this.pool.query<Row>({ ...statement, values: [...values] })).rows;
  }
}
