import type pg from 'pg';

/** Sends rows by COPY, which costs both sides less than an insert: `copy` ends with `from stdin` and the format of the rows. */
export async function copyInto(client: pg.ClientBase, copy: string, rows: Buffer): Promise<void> {
  const query = new CopyIn(copy, rows);
  client.query(query);
  await query.done;
}

/** What the driver's connection has besides its declared members. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** The interface that the driver requires of custom queries. */
class CopyIn implements pg.Submittable {
  readonly done: Promise<void>;
  /** Called by the driver's timer. */
  callback = (error?: unknown): void => {
    if (error !== undefined && error !== null) this.#settle.reject(error);
  };
  #settle: { resolve(): void; reject(error: unknown): void } = { resolve: () => {}, reject: () => {} };

  constructor(
    private readonly text: string,
    private readonly rows: Buffer,
  ) {
    this.done = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  }

  submit(connection: pg.Connection): void {
    (connection as unknown as CopyConnection).query(this.text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.rows);
    connection.endCopyFrom();
  }

  handleReadyForQuery(): void {
    this.callback();
    this.#settle.resolve();
  }

  /** Errors from the server or a broken connection. */
  handleError(error: unknown): void {
    this.callback(error);
    this.#settle.reject(error);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
