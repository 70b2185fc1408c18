import type pg from 'pg';

/** Writes rows in the binary form of COPY (binary-rows.ts) into the columns of a table. */
export async function copyIn(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  rows: Buffer,
): Promise<void> {
  const copy = new CopyIn(`copy ${table} (${columns.join(', ')}) from stdin (format binary)`, rows);
  client.query(copy);
  await copy.done;
}

/** The part of the driver's connection that COPY needs */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** The driver's interface for custom queries */
class CopyIn implements pg.Submittable {
  readonly done: Promise<void>;
  /** The driver's own timer calls it. */
  callback = (error?: unknown): void => {
    if (error !== undefined && error !== null) this.#settle.reject(error);
  };
  #settle: { resolve(): void; reject(error: unknown): void } = { resolve: () => {}, reject: () => {} };

  readonly #text: string;
  readonly #rows: Buffer;

  constructor(text: string, rows: Buffer) {
    this.#text = text;
    this.#rows = rows;
    this.done = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  }

  submit(connection: pg.Connection): void {
    (connection as unknown as CopyConnection).query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }

  handleReadyForQuery(): void {
    this.callback();
    this.#settle.resolve();
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
