import type { NodeContext } from '../../execution/node-class.js';
import { resampleSound } from '../../audio/resample-sound.js';
import type { Inputs, Sound } from '../../values/inputs.js';
import { Tensor } from '../../values/tensor.js';
import type { Dict, Value } from '../../values/value.js';

export function audioOf(waveform: Tensor, sampleRate: number): Dict {
  return new Map<string, Value>([
    ['waveform', waveform],
    ['sample_rate', BigInt(sampleRate)],
  ]);
}

/** A sound, or `null` where a film had none. */
export function optionalAudio(inputs: Inputs, name: string): Sound | null {
  return inputs.any(name) === null ? null : inputs.audio(name);
}

/** Both sounds at the higher of their sample rates. */
export async function sameRate(one: Sound, other: Sound, context: NodeContext): Promise<[Tensor, Tensor, number]> {
  const rate = Math.max(one.sampleRate, other.sampleRate);
  return [
    await resampleSound(one.waveform, one.sampleRate, rate, context),
    await resampleSound(other.waveform, other.sampleRate, rate, context),
    rate,
  ];
}

/** Samples of a Python slice of the last dimension. */
export function lastSamples(waveform: Tensor, start: number, end: number, context: NodeContext): Tensor {
  const length = waveform.size(-1);
  const count = Math.max(0, Math.min(end, length) - start);
  const rows = length === 0 ? 0 : waveform.data.length / length;
  const data = context.pixels(rows * count);
  for (let row = 0; row < rows; row += 1) {
    data.set(waveform.data.subarray(row * length + start, row * length + start + count), row * count);
  }
  return new Tensor(waveform.shape.with(-1, count), data);
}
