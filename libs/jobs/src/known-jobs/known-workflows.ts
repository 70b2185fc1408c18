import { RecentEntries } from './recent-entries.js';

/** Recently submitted workflows by hash, for workers; bounded by bytes. */
export class KnownWorkflows {
  readonly #bytes: RecentEntries<string, Buffer>;

  constructor(capacity: number) {
    this.#bytes = new RecentEntries(capacity, ({ length }) => length);
  }

  get(hash: string): Buffer | undefined {
    return this.#bytes.get(hash);
  }

  put(hash: string, bytes: Buffer): void {
    if (this.#bytes.get(hash) === undefined) this.#bytes.set(hash, bytes);
  }
}
