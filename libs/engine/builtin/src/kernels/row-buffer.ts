const SAMPLE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/**
 * A place for one row of samples in a kernel's memory. From and to memory that threads share the runtime copies eight
 * bytes at a time where both ends lie alike, and byte by byte elsewhere: so the row begins at the place or one sample later.
 */
export class RowBuffer {
  private readonly rows: readonly [Float32Array, Float32Array];

  /** How many bytes a row needs. */
  static bytesOf(samples: number): number {
    return (samples + 1) * SAMPLE_BYTES;
  }

  /** `at` is a multiple of eight. */
  constructor(buffer: ArrayBuffer, at: number, samples: number) {
    this.rows = [new Float32Array(buffer, at, samples), new Float32Array(buffer, at + SAMPLE_BYTES, samples)];
  }

  /** Copies the row of `picture` that starts at a sample; answers the address of the copy. */
  read(picture: Float32Array, start: number): number {
    const row = this.rowLike(picture, start);
    row.set(picture.subarray(start, start + row.length));
    return row.byteOffset;
  }

  /** Where a row is made that `write` then takes to `picture`. */
  addressFor(picture: Float32Array, start: number): number {
    return this.rowLike(picture, start).byteOffset;
  }

  write(picture: Float32Array, start: number): void {
    picture.set(this.rowLike(picture, start), start);
  }

  private rowLike(picture: Float32Array, start: number): Float32Array {
    return this.rows[(picture.byteOffset / SAMPLE_BYTES + start) % 2 === 0 ? 0 : 1];
  }
}
