const { fround, sqrt, atan2, round, PI } = Math;
const EPSILON = 1e-6;
/** Neighbour in the direction of a gradient, by eighths of a turn. */
const DX = [1, 1, 0, -1, -1, -1, 0, 1] as const;
const DY = [0, 1, 1, 1, 0, -1, -1, -1] as const;

/** A grey picture of `width` x `height`. */
interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/**
 * Canny's edges as the Kornia library finds them: blur (5 x 5, deviation 1, mirrored), Sobel gradient (borders
 * repeated), only local maxima along the gradient, then weak edges that touch strong ones. 1 on an edge, else 0.
 */
export function cannyEdges(grey: Plane, low: number, high: number): Uint8Array {
  const { width, height } = grey;
  const { magnitude, direction } = gradient(blur(grey));
  const edges = new Uint8Array(width * height);
  const strong: number[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const value = magnitude[at] as number;
      if (value <= low || !isPeak(magnitude, width, height, x, y, direction[at] as number)) continue;
      edges[at] = WEAK;
      if (value > high) strong.push(at);
    }
  }
  follow(edges, width, strong);
  for (let i = 0; i < edges.length; i += 1) edges[i] = edges[i] === STRONG ? 1 : 0;
  return edges;
}

const WEAK = 1;
const STRONG = 2;

function follow(edges: Uint8Array, width: number, strong: number[]): void {
  for (const at of strong) edges[at] = STRONG;
  for (let at = strong.pop(); at !== undefined; at = strong.pop()) {
    const x = at % width;
    for (let k = 0; k < 8; k += 1) {
      const nextX = x + (DX[k] as number);
      const next = at + (DY[k] as number) * width + (DX[k] as number);
      if (nextX < 0 || nextX >= width || edges[next] !== WEAK) continue;
      edges[next] = STRONG;
      strong.push(next);
    }
  }
}

function isPeak(magnitude: Float32Array, width: number, height: number, x: number, y: number, eighth: number): boolean {
  const here = magnitude[y * width + x] as number;
  for (const k of [eighth, (eighth + 4) % 8]) {
    const [nx, ny] = [x + (DX[k] as number), y + (DY[k] as number)];
    const inside = nx >= 0 && nx < width && ny >= 0 && ny < height;
    if (here <= (inside ? (magnitude[ny * width + nx] as number) : 0)) return false;
  }
  return true;
}

function gradient({ width, height, data }: Plane): { magnitude: Float32Array; direction: Uint8Array } {
  const magnitude = new Float32Array(data.length);
  const direction = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    const above = Math.max(y - 1, 0) * width;
    const below = Math.min(y + 1, height - 1) * width;
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(x - 1, 0), Math.min(x + 1, width - 1)];
      const [a, b, c] = [data[above + left] as number, data[above + x] as number, data[above + right] as number];
      const [d, f] = [data[y * width + left] as number, data[y * width + right] as number];
      const [g, h, i] = [data[below + left] as number, data[below + x] as number, data[below + right] as number];
      const gx = fround(c - a + 2 * (f - d) + i - g);
      const gy = fround(g - a + 2 * (h - b) + i - c);
      magnitude[y * width + x] = sqrt(fround(fround(gx * gx) + fround(gy * gy)) + EPSILON);
      direction[y * width + x] = (halfEven((fround(atan2(gy, gx)) * 4) / PI) + 8) % 8;
    }
  }
  return { magnitude, direction };
}

function halfEven(value: number): number {
  const nearest = round(value);
  return Math.abs(value % 1) === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest;
}

function blur({ width, height, data }: Plane): Plane {
  const raw = [-2, -1, 0, 1, 2].map((x) => Math.exp((-x * x) / 2));
  const sum = raw.reduce((total, weight) => total + weight, 0);
  const weights = raw.map((weight) => fround(weight / sum));
  const across = new Float32Array(data.length);
  const down = new Float32Array(data.length);
  const [w0, w1, w2] = weights as [number, number, number];
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    for (let x = 0; x < width; x += 1) {
      const inside = x >= 2 && x < width - 2;
      const a = data[row + (inside ? x - 2 : mirrored(x - 2, width))] as number;
      const b = data[row + (inside ? x - 1 : mirrored(x - 1, width))] as number;
      const d = data[row + (inside ? x + 1 : mirrored(x + 1, width))] as number;
      const e = data[row + (inside ? x + 2 : mirrored(x + 2, width))] as number;
      across[row + x] = w0 * a + w1 * b + w2 * (data[row + x] as number) + w1 * d + w0 * e;
    }
  }
  for (let y = 0; y < height; y += 1) {
    const [a, b, c, d, e] = [-2, -1, 0, 1, 2].map((k) => mirrored(y + k, height) * width) as [
      number,
      number,
      number,
      number,
      number,
    ];
    for (let x = 0; x < width; x += 1) {
      const upper = w0 * (across[a + x] as number) + w1 * (across[b + x] as number) + w2 * (across[c + x] as number);
      down[y * width + x] = upper + w1 * (across[d + x] as number) + w0 * (across[e + x] as number);
    }
  }
  return { width, height, data: down };
}

function mirrored(index: number, size: number): number {
  if (index < 0) return -index;
  return index >= size ? 2 * (size - 1) - index : index;
}
