const BINS = 256;
const { fround } = Math;

/** Cumulative histogram in 256 steps as float32, one row per channel. */
export function shareBelow(frames: readonly Float32Array[], channels: number): Float32Array {
  const counts = new Float32Array(channels * BINS);
  for (const frame of frames) {
    for (let i = 0; i < frame.length; i += 1) {
      const at = (i % channels) * BINS + binOf(frame[i] as number);
      counts[at] = (counts[at] as number) + 1;
    }
  }
  for (let channel = 0; channel < channels; channel += 1) {
    const row = counts.subarray(channel * BINS, (channel + 1) * BINS);
    for (let bin = 1; bin < BINS; bin += 1) row[bin] = (row[bin] as number) + (row[bin - 1] as number);
    const all = row[BINS - 1] as number;
    for (let bin = 0; bin < BINS; bin += 1) row[bin] = (row[bin] as number) / all;
  }
  return counts;
}

/** Per channel and source step: the first reference step with at least the same share below it, as 0..1. */
export function matchingSteps(source: Float32Array, reference: Float32Array): Float32Array {
  return source.map((share, at) => {
    const start = Math.floor(at / BINS) * BINS;
    let bin = 0;
    while (bin < BINS - 1 && (reference[start + bin] as number) < share) bin += 1;
    return bin / (BINS - 1);
  });
}

/** Maps every sample by its step. `strength` mixes the old sample (0) and the new one (1). */
export function replaceSteps(
  from: Float32Array,
  to: Float32Array,
  { steps, channels, strength }: { steps: Float32Array; channels: number; strength: number },
): void {
  for (let i = 0; i < from.length; i += 1) {
    const value = from[i] as number;
    const matched = steps[(i % channels) * BINS + binOf(value)] as number;
    const apart = fround(matched - value);
    let mixed = matched;
    if (strength < 0.5) mixed = fround(value + fround(fround(strength) * apart));
    else if (strength !== 1) mixed = fround(matched - fround(apart * fround(1 - strength)));
    to[i] = mixed < 0 ? 0 : mixed > 1 ? 1 : mixed;
  }
}

function binOf(value: number): number {
  const bin = Math.trunc(fround(value * (BINS - 1)));
  return bin < 0 ? 0 : bin > BINS - 1 ? BINS - 1 : bin;
}
