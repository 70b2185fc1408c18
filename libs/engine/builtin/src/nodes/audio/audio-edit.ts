import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { NodeError, OutOfMemoryError } from '../../execution/node-error.js';
import { pythonRound } from '../../pixels/python-round.js';
import { concatenate, narrow } from '../../tensors/slice.js';
import { Tensor } from '../../values/tensor.js';
import { audioOf, lastSamples, optionalAudio, sameRate } from './audio-value.js';

const { fround, abs, max, min } = Math;
const DIRECTIONS = ['after', 'before'] as const;
const MERGES = ['add', 'mean', 'subtract', 'multiply'] as const;

export const emptyAudio: NodeImplementation = {
  run(inputs, context) {
    const [rate, channels] = [inputs.int('sample_rate'), inputs.int('channels')];
    const samples = pythonRound(inputs.float('duration') * rate);
    if (!Number.isSafeInteger(samples * channels * 4)) throw new OutOfMemoryError(Infinity);
    return [audioOf(new Tensor([1, channels, samples], context.pixels(channels * samples)), rate)];
  },
};

export const trimAudioDuration: NodeImplementation = {
  run(inputs, context) {
    const sound = optionalAudio(inputs, 'audio');
    if (sound === null) return [null];
    const { waveform, sampleRate } = sound;
    const length = waveform.size(-1);
    if (length === 0) return [audioOf(waveform, sampleRate)];
    const given = pythonRound(inputs.float('start_index') * sampleRate);
    const start = max(0, min(given < 0 ? length + given : given, length));
    const end = max(0, min(start + pythonRound(inputs.float('duration') * sampleRate), length));
    if (start >= end) {
      throw new NodeError(
        'ValueError',
        'TrimAudioDuration: Start time must be less than end time and be within the audio length.',
      );
    }
    return [audioOf(lastSamples(waveform, start, end, context), sampleRate)];
  },
};

export const splitAudioChannels: NodeImplementation = {
  run(inputs, context) {
    const sound = optionalAudio(inputs, 'audio');
    if (sound === null) return [null, null];
    const { waveform, sampleRate } = sound;
    const count = waveform.size(1);
    if (count !== 2) {
      throw new NodeError(
        'ValueError',
        `AudioSplit: Input audio must be stereo (2 channels), got ${count} channel(s).`,
      );
    }
    return [0, 1].map((channel) => audioOf(narrow(waveform, 1, channel, 1, context), sampleRate));
  },
};

export const joinAudioChannels: NodeImplementation = {
  async run(inputs, context) {
    const [left, right] = [optionalAudio(inputs, 'audio_left'), optionalAudio(inputs, 'audio_right')];
    if (left === null || right === null) return [inputs.any(left === null ? 'audio_right' : 'audio_left')];
    if (left.waveform.size(1) !== 1 || right.waveform.size(1) !== 1) {
      throw new NodeError('ValueError', 'AudioJoin: Both input audios must be mono.');
    }
    const [one, other, rate] = await sameRate(left, right, context);
    const length = min(one.size(-1), other.size(-1));
    const parts = [one, other].map((waveform) => lastSamples(waveform, 0, length, context));
    return [audioOf(concatenate(parts, 1, context), rate)];
  },
};

export const audioConcat: NodeImplementation = {
  async run(inputs, context) {
    const [one, two] = [optionalAudio(inputs, 'audio1'), optionalAudio(inputs, 'audio2')];
    if (one === null || two === null) return [inputs.any(one === null ? 'audio2' : 'audio1')];
    const direction = inputs.choice('direction', DIRECTIONS);
    const stereo = (waveform: Tensor): Tensor =>
      waveform.size(1) === 1 ? concatenate([waveform, waveform], 1, context) : waveform;
    const [first, second, rate] = await sameRate(
      { waveform: stereo(one.waveform), sampleRate: one.sampleRate },
      { waveform: stereo(two.waveform), sampleRate: two.sampleRate },
      context,
    );
    return [audioOf(concatenate(direction === 'after' ? [first, second] : [second, first], 2, context), rate)];
  },
};

const MERGE: Readonly<Record<(typeof MERGES)[number], (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  mean: (a, b) => fround(a + b) / 2,
};

export const audioMerge: NodeImplementation = {
  async run(inputs, context) {
    const [one, two] = [optionalAudio(inputs, 'audio1'), optionalAudio(inputs, 'audio2')];
    if (one === null || two === null) return [inputs.any(one === null ? 'audio2' : 'audio1')];
    const merge = MERGE[inputs.choice('merge_method', MERGES)];
    const [first, second, rate] = await sameRate(one, two, context);
    if (first.size(-1) === 0 || second.size(-1) === 0) return [audioOf(first, rate)];
    return [audioOf(normalised(merged(first, second, merge, context)), rate)];
  },
};

/** The second sound cut or lengthened with silence; a channel or item of one is used for all. */
function merged(one: Tensor, two: Tensor, merge: (a: number, b: number) => number, context: NodeContext): Tensor {
  const [length, otherLength] = [one.size(-1), two.size(-1)];
  const shape = [0, 1].map((dimension) => {
    const [a, b] = [one.size(dimension), two.size(dimension)];
    if (a === b || b === 1) return a;
    if (a === 1) return b;
    throw new NodeError(
      'RuntimeError',
      `The size of tensor a (${a}) must match the size of tensor b (${b}) at non-singleton dimension ${dimension}`,
    );
  });
  const [items = 1, channels = 1] = shape;
  const data = context.pixels(items * channels * length);
  for (let item = 0; item < items; item += 1) {
    for (let c = 0; c < channels; c += 1) {
      const from = ((item % one.size(0)) * one.size(1) + (c % one.size(1))) * length;
      const other = ((item % two.size(0)) * two.size(1) + (c % two.size(1))) * otherLength;
      const to = (item * channels + c) * length;
      for (let i = 0; i < length; i += 1) {
        const added = i < otherLength ? (two.data[other + i] as number) : 0;
        data[to + i] = merge(one.data[from + i] as number, added);
      }
    }
  }
  return new Tensor([items, channels, length], data);
}

function normalised({ shape, data }: Tensor): Tensor {
  let highest = 0;
  for (const value of data) highest = max(highest, abs(value));
  return highest > 1
    ? new Tensor(
        shape,
        data.map((value) => value / highest),
      )
    : new Tensor(shape, data);
}

export const audioAdjustVolume: NodeImplementation = {
  run(inputs, context) {
    const sound = optionalAudio(inputs, 'audio');
    if (sound === null) return [null];
    const volume = inputs.int('volume');
    const { waveform, sampleRate } = sound;
    if (volume === 0) return [audioOf(waveform, sampleRate)];
    const gain = fround(10 ** (volume / 20));
    const data = context.pixels(waveform.data.length);
    for (let i = 0; i < data.length; i += 1) data[i] = (waveform.data[i] as number) * gain;
    return [audioOf(new Tensor(waveform.shape, data), sampleRate)];
  },
};
