import { NodeError } from '../execution/node-error.js';
import type { NodeContext } from '../execution/node-class.js';
import { sampleCount, Tensor } from '../values/tensor.js';

const LOWPASS_WIDTH = 6;
const ROLLOFF = 0.99;
const { PI, sin, cos, ceil, min } = Math;

/**
 * Resamples by windowed sinc interpolation (Hann) like torchaudio: both rates are divided by their greatest common divisor,
 * with one filter per phase of the new rate.
 */
export async function resampleSound(waveform: Tensor, from: number, to: number, context: NodeContext): Promise<Tensor> {
  if (from === to) return waveform;
  const divisor = greatestDivisor(from, to);
  const [original, target] = [from / divisor, to / divisor];
  const base = min(original, target) * ROLLOFF;
  const width = ceil((LOWPASS_WIDTH * original) / base);
  const taps = 2 * width + original;
  if (taps * target > 50_000_000)
    throw new NodeError('RuntimeError', 'these sample rates have no filter of a usable size');
  const kernel = sincKernel(original, target, base, width);
  const length = waveform.size(-1);
  const newLength = ceil((target * length) / original);
  const rows = sampleCount(waveform.shape.slice(0, -1));
  const data = context.pixels(rows * newLength);
  for (let row = 0; row < rows; row += 1) {
    const samples = waveform.data.subarray(row * length, (row + 1) * length);
    for (let i = 0; i < newLength; i += 1) {
      const phase = (i % target) * taps;
      const start = Math.floor(i / target) * original - width;
      let sum = 0;
      const first = Math.max(0, -start);
      const end = min(taps, length - start);
      for (let k = first; k < end; k += 1) sum += (kernel[phase + k] as number) * (samples[start + k] as number);
      data[row * newLength + i] = sum;
      if (i % 4096 === 0) await context.checkpoint(row * newLength + i, data.length);
    }
  }
  return new Tensor([...waveform.shape.slice(0, -1), newLength], data);
}

function sincKernel(original: number, target: number, base: number, width: number): Float32Array {
  const taps = 2 * width + original;
  const kernel = new Float32Array(taps * target);
  const scale = base / original;
  for (let phase = 0; phase < target; phase += 1) {
    const shift = phase / target;
    for (let k = 0; k < taps; k += 1) {
      const raw = ((k - width) / original - shift) * base;
      const t = min(Math.max(raw, -LOWPASS_WIDTH), LOWPASS_WIDTH);
      const window = cos((t * PI) / LOWPASS_WIDTH / 2) ** 2;
      const angle = t * PI;
      kernel[phase * taps + k] = (angle === 0 ? 1 : sin(angle) / angle) * window * scale;
    }
  }
  return kernel;
}

function greatestDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}
