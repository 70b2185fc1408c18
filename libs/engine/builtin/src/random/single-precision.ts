const { fround, abs, trunc } = Math;
const MIN_NORMAL = fround(1.17549435e-38);
const HALF_ROOT = fround(Math.SQRT1_2);
const [L0 = 0, L1 = 0, L2 = 0, L3 = 0, L4 = 0, L5 = 0, L6 = 0, L7 = 0, L8 = 0] = [
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
  2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
].map(fround);
/** log 2 in two parts, so that a multiple of the larger one is exact. */
const LOG2_LOW = fround(-2.1219444e-4);
const LOG2_HIGH = fround(0.693359375);
const FOUR_BY_PI = fround(1.27323954473516);
/** -pi/4 in three parts. */
const [Q0 = 0, Q1 = 0, Q2 = 0] = [-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8].map(fround);
const [S0 = 0, S1 = 0, S2 = 0] = [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1].map(fround);
const [C0 = 0, C1 = 0, C2 = 0] = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2].map(fround);

const single = new Float32Array(1);
const bits = new Int32Array(single.buffer);

/** `a * b + c`, rounded once: the product of two float32 is exact in double precision. */
function fused(a: number, b: number, c: number): number {
  return fround(a * b + c);
}

/** The natural logarithm in float32 by the polynomial of the Cephes library, as vectorised code computes it. */
export function singleLog(value: number): number {
  single[0] = value > MIN_NORMAL ? value : MIN_NORMAL;
  const word = bits[0] as number;
  bits[0] = (word & ~0x7f800000) | 0x3f000000;
  let x = single[0];
  let exponent = (word >>> 23) - 126;
  if (x < HALF_ROOT) {
    exponent -= 1;
    x = fround(fround(x - 1) + x);
  } else {
    x = fround(x - 1);
  }
  const square = fround(x * x);
  let y = fused(L0, x, L1);
  y = fused(fused(fused(fused(y, x, L2), x, L3), x, L4), x, L5);
  y = fused(fused(fused(y, x, L6), x, L7), x, L8);
  y = fround(y * x);
  y = fused(y, square, fround(exponent * LOG2_LOW));
  y = fused(-square, 0.5, y);
  return fused(exponent, LOG2_HIGH, fround(x + y));
}

/** Sine and cosine in float32 of a positive angle, by the Cephes polynomials; into `pair`. */
export function sineCosine(angle: number, pair: Float32Array): void {
  let octant = trunc(fround(abs(angle) * FOUR_BY_PI));
  octant = (octant + 1) & ~1;
  let x = abs(angle);
  x = fused(octant, Q2, fused(octant, Q1, fused(octant, Q0, x)));
  const square = fround(x * x);
  let c = fused(fused(C0, square, C1), square, C2);
  c = fround(fused(fround(c * square), square, -square * 0.5) + 1);
  let s = fused(fused(S0, square, S1), square, S2);
  s = fused(fround(s * square), x, x);
  const swapped = (octant & 2) !== 0;
  pair[0] = (octant & 4 ? -1 : 1) * (swapped ? c : s);
  pair[1] = ((octant - 2) & 4 ? 1 : -1) * (swapped ? s : c);
}
