/** Bytes of workflows that were just submitted, by hash, for the hand-over to a worker; bounded by bytes. */
export class KnownWorkflows {
  readonly #bytes = new Map<string, Buffer>();
  #held = 0;

  constructor(private readonly capacity: number) {}

  get(hash: string): Buffer | undefined {
    return this.#bytes.get(hash);
  }

  put(hash: string, bytes: Buffer): void {
    if (this.#bytes.has(hash) || bytes.length > this.capacity) return;
    this.#bytes.set(hash, bytes);
    this.#held += bytes.length;
    for (const [oldest, held] of this.#bytes) {
      if (this.#held <= this.capacity) break;
      this.#bytes.delete(oldest);
      this.#held -= held.length;
    }
  }
}
