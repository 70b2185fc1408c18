const { fround, sqrt } = Math;

export const BLEND_MODES = ['normal', 'multiply', 'screen', 'overlay', 'soft_light', 'difference'] as const;
export type BlendMode = (typeof BLEND_MODES)[number];

/** One sample of the lower picture `a` under the upper picture `b`, each step in float32. */
export const blendSample: Readonly<Record<BlendMode, (a: number, b: number) => number>> = {
  normal: (_, b) => b,
  multiply: (a, b) => fround(a * b),
  screen: (a, b) => fround(1 - fround(fround(1 - a) * fround(1 - b))),
  overlay: (a, b) =>
    a <= 0.5 ? fround(fround(2 * a) * b) : fround(1 - fround(fround(2 * fround(1 - a)) * fround(1 - b))),
  soft_light: (a, b) =>
    b <= 0.5
      ? fround(a - fround(fround(fround(1 - fround(2 * b)) * a) * fround(1 - a)))
      : fround(a + fround(fround(fround(2 * b) - 1) * fround(softCurve(a) - a))),
  difference: (a, b) => fround(a - b),
};

function softCurve(a: number): number {
  return a <= 0.25 ? fround(fround(fround(fround(fround(16 * a) - 12) * a) + 4) * a) : fround(sqrt(a));
}
