/** Float32 mask batch, `[batch][row][column]`. Never changed after a node returned it. */
export class Mask {
  constructor(
    readonly batch: number,
    readonly height: number,
    readonly width: number,
    readonly data: Float32Array,
  ) {}

  /** Samples of one mask of the batch. */
  get stride(): number {
    return this.height * this.width;
  }

  frame(index: number): Float32Array {
    return this.data.subarray(index * this.stride, (index + 1) * this.stride);
  }
}
