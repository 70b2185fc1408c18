/**
 * The engine's only quantisation: `trunc(clamp(255 * v))` with the product in float32. NaN becomes 0.
 * `to` may be a view; it takes as many samples as it holds.
 */
export function quantise(from: Float32Array, to: Uint8Array): void {
  const count = to.length;
  for (let i = 0; i < count; i += 1) {
    const value = Math.fround(255 * (from[i] as number));
    to[i] = value > 255 ? 255 : value > 0 ? value : 0;
  }
}

const UNIT = Float32Array.from({ length: 256 }, (_, byte) => byte / 255);

/** Bytes to float32 0..1, each `byte / 255` rounded once. */
export function toUnit(from: Uint8Array, to: Float32Array): void {
  const count = from.length;
  for (let i = 0; i < count; i += 1) to[i] = UNIT[from[i] as number] as number;
}
