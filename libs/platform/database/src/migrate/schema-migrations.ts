/**
 * One step of a schema, for ever once released: add steps, never edit one. Steps only expand (new tables, columns with
 * defaults, indexes), because older processes go on working on a newer schema.
 */
export interface SchemaMigration {
  /** Sorts and is unique within its schema, such as `0001-event-log`. */
  readonly name: string;
  /** SQL text of one or more statements; runs in one transaction with the note that it ran. */
  readonly up: string;
}

/** What one service brings to the database: its schema, the role that uses it, its steps in order. */
export interface SchemaMigrations {
  readonly schema: string;
  /** Undefined for a schema that no service uses by a role of its own. */
  readonly role?: string;
  readonly migrations: readonly SchemaMigration[];
}

/** The database lacks steps that this version needs, and it was told not to apply them. */
export class SchemaTooOldError extends Error {
  constructor(readonly pending: readonly string[]) {
    super(
      `The database's schema is older than this version of Heddle; missing: ${pending.join(', ')}. Run "heddle migrate" with the owner's HEDDLE_DATABASE_URL first.`,
    );
    this.name = 'SchemaTooOldError';
  }
}
