/** Float32 picture batch, `[batch][row][column][channel]`, nominally 0..1. Never changed after a node returned it. */
export class Image {
  constructor(
    readonly batch: number,
    readonly height: number,
    readonly width: number,
    readonly channels: number,
    readonly data: Float32Array,
  ) {}

  /** Samples of one picture of the batch. */
  get stride(): number {
    return this.height * this.width * this.channels;
  }

  frame(index: number): Float32Array {
    return this.data.subarray(index * this.stride, (index + 1) * this.stride);
  }
}
