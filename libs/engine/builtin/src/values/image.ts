/** `[batch, height, width, channels]`, as a tensor library writes the shape of a picture batch. */
type ImageShape = readonly [batch: number, height: number, width: number, channels: number];

/** Float32 picture batch, `[batch][row][column][channel]`, nominally 0..1. Never changed after a node returned it. */
export class Image {
  readonly batch: number;
  readonly height: number;
  readonly width: number;
  readonly channels: number;

  constructor(
    [batch, height, width, channels]: ImageShape,
    readonly data: Float32Array,
  ) {
    this.batch = batch;
    this.height = height;
    this.width = width;
    this.channels = channels;
  }

  /** Samples of one picture of the batch. */
  get stride(): number {
    return this.height * this.width * this.channels;
  }

  frame(index: number): Float32Array {
    return this.data.subarray(index * this.stride, (index + 1) * this.stride);
  }
}
