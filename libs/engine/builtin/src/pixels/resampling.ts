/** One picture of `height` x `width` x `channels` samples to resample, and where the result goes. */
export interface Resampling {
  readonly from: Float32Array;
  readonly fromWidth: number;
  readonly fromHeight: number;
  readonly to: Float32Array;
  readonly toWidth: number;
  readonly toHeight: number;
  readonly channels: number;
  /** The picture is a part of a larger one. */
  readonly cropped?: boolean;
  /** The rows to compute: from the first one up to, but not with, the end. */
  readonly firstRow: number;
  readonly endRow: number;
  /** Called after each row (of `toHeight`); a promise is awaited. */
  readonly afterRow: (row: number) => void | Promise<void>;
}
