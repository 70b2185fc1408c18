/** Float32 samples of any shape, row by row: latents, waveforms, sigmas. Never changed after a node returned it. */
export class Tensor {
  constructor(
    readonly shape: readonly number[],
    readonly data: Float32Array,
  ) {}

  /** Extent of a dimension; negative ones count from the last. */
  size(dimension: number): number {
    return this.shape.at(dimension) ?? 1;
  }
}

/** How many samples a tensor of this shape holds. */
export function sampleCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
