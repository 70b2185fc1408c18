/**
 * A step whose SQL runs in one transaction together with the note that it ran. For everything that is quick on a table
 * of any size: new tables, new columns, dropped constraints, constraints that are `not valid` yet.
 */
export interface TransactionalStep {
  /** Sorts and is unique within its schema, such as `0001-event-log`. */
  readonly name: string;
  /** SQL text of one or more statements. */
  readonly up: string;
}

/** `create index concurrently`: skipped when a valid index of that name exists, made anew when an interrupted run left an invalid one. */
export interface OnlineIndex {
  /** Name of the index, within the step's schema. */
  readonly index: string;
  readonly sql: string;
}

/** An `update`, `insert` or `delete` of a bounded number of rows, repeated until it changes none. */
export interface OnlineBackfill {
  readonly batch: string;
}

/** One statement that has no effect when it already ran, such as `alter table ... validate constraint ...`. */
export interface OnlineStatement {
  readonly sql: string;
}

/**
 * A step beside live traffic: its statements run one by one, each in a transaction of its own at most, and none holds a
 * lock or a transaction for long. An interrupted step runs again from its start, so each part must be repeatable.
 */
export interface OnlineStep {
  readonly name: string;
  readonly online: readonly (OnlineIndex | OnlineBackfill | OnlineStatement)[];
}

/**
 * One step of a schema, frozen once released: add steps, never edit one (`released-steps.spec.ts` holds them). A step
 * removes nothing that the previous build uses, because its processes continue to work on the newer schema.
 */
export type SchemaMigration = TransactionalStep | OnlineStep;

/**
 * A function as it should be now. Its text may change: `migrate` applies it after all steps, on a database of any age,
 * when the hash of the text is not the one that was applied last.
 */
export interface SchemaFunction {
  /** Unique within its schema. A changed signature is a new name: older processes still call the old one. */
  readonly name: string;
  /** `create or replace function ...`, with its grants, and `create or replace trigger ...` if it has one. */
  readonly sql: string;
}

/** What one service brings to the database: its schema, the role that uses it, its steps in order, its functions. */
export interface SchemaMigrations {
  readonly schema: string;
  /** Undefined for a schema that no service uses by a role of its own. */
  readonly role?: string;
  readonly migrations: readonly SchemaMigration[];
  /** Applied in this order. */
  readonly functions?: readonly SchemaFunction[];
}

/** The database lacks steps or functions that this version needs, and it was told not to apply them. */
export class SchemaTooOldError extends Error {
  constructor(readonly pending: readonly string[]) {
    super(
      `The database's schema is older than this version of Heddle; missing: ${pending.join(', ')}. Run "heddle migrate" with the owner's HEDDLE_DATABASE_URL first.`,
    );
    this.name = 'SchemaTooOldError';
  }
}
