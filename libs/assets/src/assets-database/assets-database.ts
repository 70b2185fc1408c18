import { SweepClock } from '@heddle/platform-database';
import type pg from 'pg';

/** End of a transaction: its work is committed or rolled back, and the value is returned either way. */
export type Ending<T> = { readonly keep: boolean; readonly value: T };

export const keep = <T>(value: T): Ending<T> => ({ keep: true, value });
export const undo = <T>(value: T): Ending<T> => ({ keep: false, value });

/** A named prepared statement, planned once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A change that also writes events to the outbox if there is a bus, and costs nothing extra otherwise. */
export interface EventfulStatement {
  readonly quiet: Statement;
  readonly recording: Statement;
}

/** The connection was lost during COMMIT: look for what was written before reporting a result. */
export class CommitUnknownError extends Error {
  /** SQLSTATE `transaction_resolution_unknown`: an outage, whatever the driver says of it. */
  readonly code = '08007';

  constructor(cause: unknown) {
    super('the outcome of a transaction is unknown', { cause });
  }
}

/** Statements and transactions under the assets service's role. */
export class AssetsDatabase {
  #whenRecorded: () => void = () => undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly recordsEvents = false,
    /** One for all sweeps: it compares each look with the one before. */
    readonly clock = new SweepClock(pool, () => undefined),
  ) {}

  /** Called after each commit of this process that may have written to the outbox. */
  onRecorded(listener: () => void): void {
    this.#whenRecorded = listener;
  }

  async query<Row extends pg.QueryResultRow>(
    statement: Statement | EventfulStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ ...chosen(statement, this.recordsEvents), values: [...values] });
    if (this.recordsEvents && 'recording' in statement) this.#whenRecorded();
    return rows;
  }

  /**
   * Runs one statement as a whole transaction.
   *
   * @throws CommitUnknownError if the connection was lost before the answer.
   */
  async commit<Row extends pg.QueryResultRow>(
    statement: Statement | EventfulStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const client = await this.pool.connect();
    let broken = false;
    try {
      const query = { ...chosen(statement, this.recordsEvents), values: [...values] };
      const { rows } = await client.query<Row>(query).catch((error: unknown) => {
        if (wasRolledBack(error)) throw error;
        broken = true;
        throw new CommitUnknownError(error);
      });
      if (this.recordsEvents && 'recording' in statement) this.#whenRecorded();
      return rows;
    } finally {
      client.release(broken);
    }
  }

  /** READ COMMITTED: each statement sees what was committed before it began, including what it waited for. */
  async transaction<T>(work: (session: Session) => Promise<Ending<T>>): Promise<T> {
    const client = await this.pool.connect();
    const session = new Session(client, this.recordsEvents);
    let broken: unknown;
    try {
      await client.query('begin');
      const ending = await work(session).catch(async (error: unknown) => {
        await client.query('rollback').catch((second: unknown) => (broken = second));
        throw error;
      });
      if (!ending.keep) {
        await client.query('rollback').catch((error: unknown) => (broken = error));
        return ending.value;
      }
      await client.query('commit').catch((error: unknown) => {
        broken = error;
        throw new CommitUnknownError(error);
      });
      if (session.hasRecorded) this.#whenRecorded();
      return ending.value;
    } finally {
      client.release(broken !== undefined);
    }
  }
}

/** The open transaction of one connection. */
export class Session {
  /** It may have written to the outbox. */
  hasRecorded = false;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly recordsEvents: boolean,
  ) {}

  async query<Row extends pg.QueryResultRow>(
    statement: Statement | EventfulStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const { rows } = await this.client.query<Row>({ ...chosen(statement, this.recordsEvents), values: [...values] });
    this.hasRecorded ||= this.recordsEvents && 'recording' in statement;
    return rows;
  }
}

function chosen(statement: Statement | EventfulStatement, recordsEvents: boolean): Statement {
  if (!('recording' in statement)) return statement;
  return recordsEvents ? statement.recording : statement.quiet;
}

/**
 * The server itself reported that the statement failed. The end of a server or connection says nothing about a commit.
 */
function wasRolledBack(error: unknown): boolean {
  return error instanceof Error && (error as Error & { severity?: unknown }).severity === 'ERROR';
}
