const FIRST_BYTES = 64 * 1024;
/** Chunks that are looked at before a body is judged by their mean size. */
const CHUNKS_AT_LEAST = 4_096;
const MEAN_AT_LEAST = 16;

/**
 * Bytes that arrive in chunks, in one buffer: a chunk of one byte would otherwise cost a hundred. Most bodies are one chunk,
 * which is not copied. Of an announced length the buffer is made at once; the system gives it memory as it is written.
 */
export class GatheredBytes {
  #buffer: Buffer = Buffer.alloc(0);
  #size = 0;
  #chunks = 0;

  /** `announced`: how many bytes will come, 0 where nobody says. */
  constructor(private readonly announced: number) {}

  get size(): number {
    return this.#size;
  }

  /** How much memory is taken once `chunk` is here too. */
  heldWith(chunk: Buffer): number {
    const size = this.#size + chunk.length;
    return this.announced > 0 ? size : Math.max(size, this.#capacityFor(size));
  }

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (this.#chunks++ === 0) this.#buffer = chunk;
    else {
      this.#makeRoom(this.#capacityFor(size));
      chunk.copy(this.#buffer, this.#size);
    }
    this.#size = size;
  }

  #capacityFor(size: number): number {
    if (size <= this.#buffer.length || this.#chunks === 0) return this.#buffer.length;
    return this.announced > 0 ? Math.max(this.announced, size) : Math.max(2 * this.#buffer.length, size, FIRST_BYTES);
  }

  #makeRoom(capacity: number): void {
    if (capacity <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(larger, 0, 0, this.#size);
    this.#buffer = larger;
  }

  /** Thousands of chunks of a few bytes: each costs as much work as one of a thousand. */
  get isFinelyCut(): boolean {
    return this.#chunks >= CHUNKS_AT_LEAST && this.#size < this.#chunks * MEAN_AT_LEAST;
  }

  bytes(): Buffer {
    return this.#size === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#size);
  }
}
