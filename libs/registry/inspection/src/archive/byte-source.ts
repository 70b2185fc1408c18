const NOTHING: Buffer = Buffer.alloc(0);
const ZEROS = Buffer.alloc(16 * 1024);

/** Bytes of a stream of chunks, in pieces of a wanted length; holds one chunk and the piece. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk = NOTHING;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Exactly `length` bytes; undefined if the stream ends before. */
  async take(length: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    for (let missing = length; missing > 0;) {
      const piece = await this.piece(missing);
      if (piece === undefined) return undefined;
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  /** False if the stream ends before. */
  async skip(length: number): Promise<boolean> {
    for (let missing = length; missing > 0;) {
      const piece = await this.piece(missing);
      if (piece === undefined) return false;
      missing -= piece.length;
    }
    return true;
  }

  /** What is left up to the end: nothing but zeros, or other bytes; `long`: more zeros than `maxBytes`. */
  async rest(maxBytes: number): Promise<'zeros' | 'other' | 'long'> {
    for (let bytes = 0; bytes <= maxBytes;) {
      const piece = await this.piece(ZEROS.length);
      if (piece === undefined) return 'zeros';
      if (!piece.equals(ZEROS.subarray(0, piece.length))) return 'other';
      bytes += piece.length;
    }
    return 'long';
  }

  /** Ends the stream of chunks early. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Some bytes, not empty; undefined at the end of the stream. */
  async piece(atMost: number): Promise<Buffer | undefined> {
    while (this.#chunk.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done === true) return undefined;
      this.#chunk = value;
    }
    const piece = this.#chunk.subarray(0, atMost);
    this.#chunk = this.#chunk.subarray(piece.length);
    return piece;
  }
}
