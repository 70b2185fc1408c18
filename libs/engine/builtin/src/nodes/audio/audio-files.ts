import { decodeSound } from '../../audio/decode-sound.js';
import { encodeFlac } from '../../audio/encode-flac.js';
import type { NodeImplementation, NodeContext } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { resultName } from '../../images/result-name.js';
import type { Inputs, Sound } from '../../values/inputs.js';
import { Tensor } from '../../values/tensor.js';
import { audioOf, optionalAudio } from './audio-value.js';

const FULL_SCALE = 32_768;

export const loadAudio: NodeImplementation = {
  async run(inputs, context) {
    const path = await context.inputFile(inputs.text('audio'));
    const { sampleRate, channels } = await decodeSound(path, (bytes) => context.reserve(bytes));
    const length = channels[0]?.length ?? 0;
    const data = context.pixels(channels.length * length);
    channels.forEach((samples, c) => data.set(samples, c * length));
    return [audioOf(new Tensor([1, channels.length, length], data), sampleRate)];
  },
};

export const saveAudio: NodeImplementation = {
  async run(inputs, context) {
    await writeFlac(given(inputs, 'SaveAudio'), 'output', inputs.text('filename_prefix', 'ComfyUI'), context);
    return [inputs.any('audio')];
  },
};

export const saveAudioAdvanced: NodeImplementation = {
  async run(inputs, context) {
    const format = inputs.text('format');
    if (format !== 'flac') throw new NodeError('ValueError', `the built-in engine writes FLAC, not ${format}`);
    await writeFlac(given(inputs, 'SaveAudio'), 'output', inputs.text('filename_prefix', 'ComfyUI'), context);
    return [inputs.any('audio')];
  },
};

export const previewAudio: NodeImplementation = {
  async run(inputs, context) {
    await writeFlac(given(inputs, 'PreviewAudio'), 'temp', `ComfyUI_temp_${context.previewTag}`, context);
    return [inputs.any('audio')];
  },
};

function given(inputs: Inputs, who: string): Sound {
  const sound = optionalAudio(inputs, 'audio');
  if (sound !== null) return sound;
  throw new NodeError('ValueError', `${who}: input audio is None (source video may have no audio track).`);
}

async function writeFlac(sound: Sound, folder: 'output' | 'temp', prefix: string, context: NodeContext): Promise<void> {
  const { waveform, sampleRate } = sound;
  const [items, channels, length] = [waveform.size(0), waveform.size(1), waveform.size(2)];
  if (channels < 1 || channels > 2) {
    throw new NodeError('ValueError', `Expected packed \`array.shape[0]\` to equal 1 but got ${channels} channels`);
  }
  if (length === 0) throw new NodeError('av.error.MemoryError', '[Errno 12] Cannot allocate memory');
  const place = resultName(prefix, 0, 0, new Date());
  const first = await context.counter(folder, place.subfolder, place.base, items);
  for (let item = 0; item < items; item += 1) {
    context.reserve(channels * length * 4);
    const pcm = Array.from({ length: channels }, (_, c) => {
      const start = (item * channels + c) * length;
      return toPcm(waveform.data.subarray(start, start + length));
    });
    const parts = encodeFlac({ sampleRate, channels: pcm }, context.metadata);
    const number = String(first + item).padStart(5, '0');
    const name = `${place.base.replaceAll('%batch_num%', String(item))}_${number}.flac`;
    await context.save({ name, subfolder: place.subfolder, folder, contentType: 'audio/flac', parts }, 'audio');
  }
}

/** To 16 bits: rounded to the nearest, halves to even, cut at full scale. */
function toPcm(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) => {
    const scaled = Math.fround(sample * FULL_SCALE);
    const floor = Math.floor(scaled);
    const rest = scaled - floor;
    const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
    return Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, rounded || 0));
  });
}
