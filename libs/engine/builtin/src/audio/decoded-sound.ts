/** A sound file's content. */
export interface DecodedSound {
  readonly sampleRate: number;
  /** Samples from -1 to 1 by channel, all of one length */
  readonly channels: readonly Float32Array[];
}
