import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { Tensor } from '../../values/tensor.js';
import { audioOf, optionalAudio } from './audio-value.js';

const { fround, PI, sin, cos, sqrt } = Math;
const SHELF_Q = 0.707;

/** Numerator and denominator of a filter of the second order. */
interface Biquad {
  readonly b: readonly [number, number, number];
  readonly a: readonly [number, number, number];
}

/** Three filters one after the other: low shelf, peak, high shelf; one without gain is left out. */
export const audioEqualizer: NodeImplementation = {
  async run(inputs, context) {
    const sound = optionalAudio(inputs, 'audio');
    if (sound === null) return [null];
    let { waveform } = sound;
    if (waveform.size(-1) === 0) return [inputs.any('audio')];
    const rate = sound.sampleRate;
    const [low, mid, high] = ['low_gain_dB', 'mid_gain_dB', 'high_gain_dB'].map((name) => inputs.float(name));
    if (low !== 0) waveform = await filtered(waveform, shelf(rate, low ?? 0, inputs.int('low_freq'), 1), context);
    if (mid !== 0) {
      waveform = await filtered(waveform, peak(rate, mid ?? 0, inputs.int('mid_freq'), inputs.float('mid_q')), context);
    }
    if (high !== 0) waveform = await filtered(waveform, shelf(rate, high ?? 0, inputs.int('high_freq'), -1), context);
    return [audioOf(waveform, rate)];
  },
};

/** A shelf for bass (`side` 1) or treble (-1); every step in float32. */
function shelf(rate: number, gain: number, frequency: number, side: 1 | -1): Biquad {
  const { alpha, amplitude, cosine: plain } = basics(rate, gain, frequency, SHELF_Q);
  const root = fround(fround(2 * fround(sqrt(amplitude))) * alpha);
  const [more, less] = [fround(amplitude + 1), fround(amplitude - 1)];
  const cosine = plain * side;
  const high = fround(fround(less * cosine));
  const low = fround(fround(more * cosine));
  return {
    b: [
      fround(amplitude * fround(fround(more - high) + root)),
      fround(side * 2 * amplitude * fround(less - low)),
      fround(amplitude * fround(fround(more - high) - root)),
    ],
    a: [fround(fround(more + high) + root), fround(side * -2 * fround(less + low)), fround(fround(more + high) - root)],
  };
}

function peak(rate: number, gain: number, frequency: number, q: number): Biquad {
  const { alpha, amplitude, cosine } = basics(rate, gain, frequency, q);
  const [times, divided] = [fround(alpha * amplitude), fround(alpha / amplitude)];
  return {
    b: [fround(1 + times), -2 * cosine, fround(1 - times)],
    a: [fround(1 + divided), -2 * cosine, fround(1 - divided)],
  };
}

function basics(
  rate: number,
  gain: number,
  frequency: number,
  q: number,
): { alpha: number; amplitude: number; cosine: number } {
  const w0 = fround(fround(fround(2 * PI) * frequency) / rate);
  const amplitude = fround(Math.exp(fround(fround(fround(gain) / 40) * fround(Math.LN10))));
  return { alpha: fround(fround(fround(sin(w0)) / 2) / fround(q)), amplitude, cosine: fround(cos(w0)) };
}

/** Runs a filter over every channel in float32; the result is cut to -1..1. */
async function filtered(waveform: Tensor, { b, a }: Biquad, context: NodeContext): Promise<Tensor> {
  const [b0, b1, b2] = b.map((value) => fround(fround(value) / fround(a[0]))) as [number, number, number];
  const [, a1, a2] = a.map((value) => fround(fround(value) / fround(a[0]))) as [number, number, number];
  const length = waveform.size(-1);
  const data = context.pixels(waveform.data.length);
  for (let start = 0; start < data.length; start += length) {
    let [x1, x2, y1, y2] = [0, 0, 0, 0];
    for (let i = start; i < start + length; i += 1) {
      const x = waveform.data[i] as number;
      const fed = fround(b0 * x + fround(b1 * x1 + fround(b2 * x2)));
      const y = fround(fround(fed - fround(a2 * y2)) - fround(a1 * y1));
      data[i] = y < -1 ? -1 : y > 1 ? 1 : y;
      [x2, x1, y2, y1] = [x1, x, y1, y];
    }
    await context.checkpoint(start + length, data.length);
  }
  return new Tensor(waveform.shape, data);
}
