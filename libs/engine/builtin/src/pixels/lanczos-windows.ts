import { WEIGHT_BITS } from '../kernels/byte-windows.js';

const LOBES = 3;

/** Which old samples each new one looks at, and their weights in fixed point. */
export interface LanczosWindows {
  readonly start: Int32Array;
  readonly count: Int32Array;
  /** `size` weights for each new sample, zeros after its `count`. */
  readonly weights: Int32Array;
  /** The largest count, made even. */
  readonly size: number;
}

/** Pillow's Lanczos: windows that grow when shrinking, weights that sum to 1, rounded half away from zero. */
export function lanczosWindows(oldSize: number, newSize: number): LanczosWindows {
  const scale = oldSize / newSize;
  const filterScale = Math.max(scale, 1);
  const support = LOBES * filterScale;
  const start = new Int32Array(newSize);
  const count = new Int32Array(newSize);
  for (let i = 0; i < newSize; i += 1) {
    const center = (i + 0.5) * scale;
    start[i] = Math.max(Math.trunc(center - support + 0.5), 0);
    count[i] = Math.min(Math.trunc(center + support + 0.5), oldSize) - (start[i] as number);
  }
  const most = count.reduce((size, one) => Math.max(size, one), 0);
  const size = most + (most % 2);
  const weights = new Int32Array(newSize * size);
  const raw = new Float64Array(size);
  for (let i = 0; i < newSize; i += 1) {
    const center = (i + 0.5) * scale;
    const first = start[i] as number;
    const used = count[i] as number;
    let sum = 0;
    for (let k = 0; k < used; k += 1) {
      raw[k] = lanczos((first + k - center + 0.5) / filterScale);
      sum += raw[k] as number;
    }
    for (let k = 0; k < used; k += 1) {
      const fixed = (sum === 0 ? (raw[k] as number) : (raw[k] as number) / sum) * 2 ** WEIGHT_BITS;
      weights[i * size + k] = Math.trunc(fixed < 0 ? fixed - 0.5 : fixed + 0.5);
    }
  }
  return { start, count, weights, size };
}

function lanczos(x: number): number {
  return x > -LOBES && x < LOBES ? sinc(x) * sinc(x / LOBES) : 0;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI);
}
