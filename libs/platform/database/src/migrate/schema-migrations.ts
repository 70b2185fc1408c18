/**
 * A step whose SQL runs in one transaction together with its record. For everything that is quick on a table of any
 * size: new tables, new columns, dropped constraints, constraints that are `not valid` yet.
 */
export interface TransactionalStep {
  /** Sortable and unique within its schema, such as `0001-event-log`. */
  readonly name: string;
  /** One or more SQL statements. */
  readonly up: string;
  /** See `SchemaMigration`. */
  readonly breaks?: string;
}

/**
 * `create index concurrently`: skipped if a valid index of that name exists, recreated if an interrupted run left an
 * invalid one.
 */
export interface OnlineIndex {
  /** Index name, in the step's schema. */
  readonly index: string;
  readonly sql: string;
}

/** An `update`, `insert` or `delete` of a bounded number of rows, repeated until it changes none. */
interface OnlineBackfill {
  readonly batch: string;
}

/** One idempotent statement, such as `alter table ... validate constraint ...`. */
interface OnlineStatement {
  readonly sql: string;
}

/**
 * A step under live traffic: its statements run one by one, each at most in its own transaction, and none holds a lock
 * or a transaction for long. An interrupted step restarts from the beginning, so each part must be repeatable.
 */
export interface OnlineStep {
  readonly name: string;
  readonly online: readonly (OnlineIndex | OnlineBackfill | OnlineStatement)[];
  /** See `SchemaMigration`. */
  readonly breaks?: string;
}

/**
 * One step of a schema, frozen once released: add steps, never edit one (`released-steps.spec.ts` enforces this). A
 * step must not remove anything that the previous build uses, because its processes keep running on the newer schema.
 * `breaks` says what builds before the previous one cannot work with: they refuse to start on it.
 */
export type SchemaMigration = TransactionalStep | OnlineStep;

/**
 * The current form of a function. Its text may change: `migrate` applies it after all steps if its hash differs from
 * the last applied one.
 */
export interface SchemaFunction {
  /** Unique within its schema. A changed signature needs a new name: older processes still call the old one. */
  readonly name: string;
  /** `create or replace function ...` with its grants and, if it has one, `create or replace trigger ...`. */
  readonly sql: string;
}

/** A service's part of the database: its schema, the role that uses it, its steps in order, its functions. */
export interface SchemaMigrations {
  readonly schema: string;
  /** Undefined for a schema without a service role. */
  readonly role?: string;
  readonly migrations: readonly SchemaMigration[];
  /** Applied in this order. */
  readonly functions?: readonly SchemaFunction[];
}

/** The database lacks steps or functions that this version needs, and migration was not allowed. */
export class SchemaTooOldError extends Error {
  constructor(readonly pending: readonly string[]) {
    super(
      `The database's schema is older than this version of Heddle; missing: ${pending.join(', ')}. Run "heddle migrate" with the owner's HEDDLE_DATABASE_URL first.`,
    );
    this.name = 'SchemaTooOldError';
  }
}
