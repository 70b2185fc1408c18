const SMALL_CHUNK_BYTES = 8 * 1024;
const SMALL_BUFFER_BYTES = 64 * 1024;

/**
 * Collects chunks for one vectored write. Large chunks are kept as they are; small ones are merged, so that a body that
 * trickles in costs neither a system call nor a buffer object per byte.
 */
export class ChunkBatch {
  #chunks: Buffer[] = [];
  #given: Buffer[] = [];
  #bytes = 0;
  #small: Buffer | null = null;
  #smallStart = 0;
  #smallEnd = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (chunk.length >= SMALL_CHUNK_BYTES) {
      this.#closeSmall();
      this.#chunks.push(chunk);
      this.#given.push(chunk);
      return;
    }
    if (this.#small === null || this.#smallEnd + chunk.length > this.#small.length) {
      this.#closeSmall();
      this.#small = Buffer.allocUnsafeSlow(SMALL_BUFFER_BYTES);
      this.#smallStart = this.#smallEnd = 0;
    }
    chunk.copy(this.#small, this.#smallEnd);
    this.#smallEnd += chunk.length;
  }

  /** Returns everything collected and starts a new batch; `given` are the chunks that are not copies. */
  take(): { readonly chunks: Buffer[]; readonly given: Buffer[]; readonly bytes: number } {
    this.#closeSmall();
    const taken = { chunks: this.#chunks, given: this.#given, bytes: this.#bytes };
    this.#chunks = [];
    this.#given = [];
    this.#bytes = 0;
    return taken;
  }

  #closeSmall(): void {
    if (this.#small === null || this.#smallEnd === this.#smallStart) return;
    this.#chunks.push(this.#small.subarray(this.#smallStart, this.#smallEnd));
    this.#smallStart = this.#smallEnd;
  }
}
