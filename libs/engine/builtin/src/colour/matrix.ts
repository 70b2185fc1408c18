/** A 3 x 3 matrix, row by row. */
export type Matrix = readonly number[];

const SIZE = 3;
/** More sweeps than a symmetric 3 x 3 matrix needs to become diagonal in double precision */
const SWEEPS = 30;

export function multiply(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: SIZE * SIZE }, (_, at) => {
    const [row, column] = [Math.floor(at / SIZE), at % SIZE];
    let sum = 0;
    for (let k = 0; k < SIZE; k += 1) sum += (a[row * SIZE + k] as number) * (b[k * SIZE + column] as number);
    return sum;
  });
}

export function transpose(a: Matrix): Matrix {
  return a.map((_, at) => a[(at % SIZE) * SIZE + Math.floor(at / SIZE)] as number);
}

/** Multiplies columns by factors. */
export function scaleColumns(a: Matrix, factors: readonly number[]): Matrix {
  return a.map((value, at) => value * (factors[at % SIZE] as number));
}

/** Eigenvalues of a symmetric matrix and its eigenvectors as columns, by Jacobi's rotations. */
export function eigen(symmetric: Matrix): { values: readonly number[]; vectors: Matrix } {
  let a = symmetric;
  let vectors: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const off = a[p * SIZE + q] as number;
      if (off === 0) continue;
      const theta = ((a[q * SIZE + q] as number) - (a[p * SIZE + p] as number)) / (2 * off);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];
      rotation[p * SIZE + p] = c;
      rotation[q * SIZE + q] = c;
      rotation[p * SIZE + q] = t * c;
      rotation[q * SIZE + p] = -t * c;
      a = multiply(multiply(transpose(rotation), a), rotation);
      vectors = multiply(vectors, rotation);
    }
  }
  return { values: [a[0] as number, a[4] as number, a[8] as number], vectors };
}
