import { eigen, multiply, scaleColumns, transpose, type Matrix } from './matrix.js';

/** Mean of L*, a* and b*, and how they spread: their covariances, row by row. */
export interface Spread {
  readonly mean: readonly number[];
  readonly covariance: Matrix;
}

export type LabMethod = 'reinhard_lab' | 'mkl_lab';

const MIN_DEVIATION = 1e-6;

/** Mean and covariance over all pictures with equal weight. */
export function spreadOf(pictures: readonly Float64Array[]): Spread {
  const mean = [0, 0, 0];
  for (const lab of pictures) {
    const sums = [0, 0, 0];
    for (let i = 0; i < lab.length; i += 1) sums[i % 3] = (sums[i % 3] as number) + (lab[i] as number);
    sums.forEach((sum, c) => (mean[c] = (mean[c] as number) + sum / (lab.length / 3) / pictures.length));
  }
  const covariance = new Array<number>(9).fill(0);
  for (const lab of pictures) addCovariance(covariance, lab, mean, pictures.length);
  return { mean, covariance };
}

function addCovariance(into: number[], lab: Float64Array, mean: readonly number[], pictures: number): void {
  const [m0 = 0, m1 = 0, m2 = 0] = mean;
  let [ll, la, lb, aa, ab, bb] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < lab.length; i += 3) {
    const [l, a, b] = [(lab[i] as number) - m0, (lab[i + 1] as number) - m1, (lab[i + 2] as number) - m2];
    ll += l * l;
    la += l * a;
    lb += l * b;
    aa += a * a;
    ab += a * b;
    bb += b * b;
  }
  const share = 3 / lab.length / pictures;
  [ll, la, lb, la, aa, ab, lb, ab, bb].forEach((sum, at) => (into[at] = (into[at] as number) + sum * share));
}

/**
 * The linear map from the colour distribution of `source` to that of `reference`: each component by itself (Reinhard), or all
 * three with the least movement (Monge-Kantorovich).
 */
export function matchSpread(method: LabMethod, source: Spread, reference: Spread): Matrix {
  if (method === 'mkl_lab') return leastMoving(source.covariance, reference.covariance);
  const matrix = new Array<number>(9).fill(0);
  for (const at of [0, 4, 8]) matrix[at] = deviation(reference, at) / deviation(source, at);
  return matrix;
}

function deviation({ covariance }: Spread, at: number): number {
  return Math.max(Math.sqrt(covariance[at] as number), MIN_DEVIATION);
}

function leastMoving(source: Matrix, reference: Matrix): Matrix {
  const own = eigen(source);
  const roots = own.values.map((value) => Math.max(Math.sqrt(Math.max(value, 0)), MIN_DEVIATION));
  const scaled = scaleColumns(own.vectors, roots);
  const middle = eigen(multiply(multiply(transpose(scaled), reference), scaled));
  const middleRoots = middle.values.map((value) => Math.sqrt(Math.max(value, 0)));
  const half = multiply(scaleColumns(middle.vectors, middleRoots), transpose(middle.vectors));
  const inverse = scaleColumns(
    own.vectors,
    roots.map((root) => 1 / root),
  );
  return multiply(multiply(inverse, half), transpose(inverse));
}

/** Applies `matrix * (colour - from) + to` to every colour. `strength` mixes the old colour (0) and the new one (1). */
export function moveColours(
  lab: Float64Array,
  matrix: Matrix,
  { from, to, strength }: { from: readonly number[]; to: readonly number[]; strength: number },
): void {
  const [m0 = 0, m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0, m8 = 0] = matrix;
  const [f0 = 0, f1 = 0, f2 = 0] = from;
  const [t0 = 0, t1 = 0, t2 = 0] = to;
  for (let i = 0; i < lab.length; i += 3) {
    const [l, a, b] = [lab[i] as number, lab[i + 1] as number, lab[i + 2] as number];
    const [x, y, z] = [l - f0, a - f1, b - f2];
    lab[i] = l + strength * (m0 * x + m1 * y + m2 * z + t0 - l);
    lab[i + 1] = a + strength * (m3 * x + m4 * y + m5 * z + t1 - a);
    lab[i + 2] = b + strength * (m6 * x + m7 * y + m8 * z + t2 - b);
  }
}
