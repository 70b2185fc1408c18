import type pg from 'pg';
import { BinaryRow } from './binary-row.js';

/**
 * Hands the rows of a select to `onRow`, one after the other, as they come: nothing is gathered. COPY in binary form is several times
 * cheaper to read than the driver's rows. The select takes no parameters. What `onRow` throws ends the reading and is thrown here.
 * Answers the number of rows.
 */
export async function copyRows(
  client: pg.ClientBase,
  select: string,
  onRow: (row: BinaryRow) => void,
): Promise<number> {
  const copy = new CopyOut(`copy (${select}) to stdout (format binary)`, onRow);
  client.query(copy);
  return await copy.done;
}

/** What the driver asks of a query that it does not know itself. */
class CopyOut implements pg.Submittable {
  readonly done: Promise<number>;
  /** The driver's own timer calls it. */
  callback = (error?: unknown): void => {
    if (error !== undefined && error !== null) this.#failed(error);
  };
  readonly #row = new BinaryRow();
  #rows = 0;
  #failure: { readonly error: unknown } | undefined;
  #settle: { resolve(rows: number): void; reject(error: unknown): void } = { resolve: () => {}, reject: () => {} };

  constructor(
    private readonly text: string,
    private readonly onRow: (row: BinaryRow) => void,
  ) {
    this.done = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  }

  submit(connection: pg.Connection): void {
    (connection as unknown as { query(text: string): void }).query(this.text);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#failure !== undefined) return;
    try {
      if (!this.#row.read(chunk)) return;
      this.#rows += 1;
      this.onRow(this.#row);
    } catch (error) {
      // The rest of the statement is read and left; the connection stays usable.
      this.#failure = { error };
    }
  }

  handleReadyForQuery(): void {
    this.callback();
    if (this.#failure === undefined) this.#settle.resolve(this.#rows);
    else this.#settle.reject(this.#failure.error);
  }

  /** Of the server, or of a connection that broke. */
  handleError(error: unknown): void {
    this.callback(error);
    this.#failed(error);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  #failed(error: unknown): void {
    this.#failure ??= { error };
    this.#settle.reject(this.#failure.error);
  }
}
