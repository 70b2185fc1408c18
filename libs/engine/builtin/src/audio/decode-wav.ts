import { NodeError } from '../execution/node-error.js';
import type { DecodedSound } from './decoded-sound.js';

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

interface WavFormat {
  readonly kind: number;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bits: number;
}

/** Decodes a RIFF WAVE file with 16, 24 or 32 bits or floats. Refuses 8 bits, like the real engine. */
export function decodeWav(file: Buffer, reserve: (bytes: number) => void): DecodedSound {
  let format: WavFormat | null = null;
  for (let at = 12; at + 8 <= file.length;) {
    const id = file.toString('latin1', at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const body = file.subarray(at + 8, Math.min(at + 8 + size, file.length));
    if (id === 'fmt ') format = readFormat(body);
    if (id === 'data' && format !== null) return readSamples(body, format, reserve);
    at += 8 + size + (size % 2);
  }
  throw new NodeError('ValueError', 'No audio stream found in the file.');
}

function readFormat(body: Buffer): WavFormat {
  const given = body.readUInt16LE(0);
  return {
    kind: given === EXTENSIBLE && body.length >= 26 ? body.readUInt16LE(24) : given,
    channels: body.readUInt16LE(2),
    sampleRate: body.readUInt32LE(4),
    bits: body.readUInt16LE(14),
  };
}

function readSamples(
  body: Buffer,
  { kind, channels: count, sampleRate, bits }: WavFormat,
  reserve: (bytes: number) => void,
): DecodedSound {
  const width = bits / 8;
  if (kind === PCM && bits === 8) throw new NodeError('ValueError', 'Unsupported wav dtype: torch.uint8');
  const known = (kind === PCM && [16, 24, 32].includes(bits)) || (kind === FLOAT && [32, 64].includes(bits));
  if (!known || count < 1) throw new NodeError('ValueError', 'No audio stream found in the file.');
  const total = Math.floor(body.length / (width * count));
  if (total === 0) throw new NodeError('ValueError', 'No audio frames decoded.');
  reserve(total * count * 4);
  const channels = Array.from({ length: count }, () => new Float32Array(total));
  for (let i = 0; i < total; i += 1) {
    for (let c = 0; c < count; c += 1) {
      const at = (i * count + c) * width;
      let value: number;
      if (kind === FLOAT) value = bits === 32 ? body.readFloatLE(at) : body.readDoubleLE(at);
      else value = body.readIntLE(at, width) / 2 ** (bits - 1);
      (channels[c] as Float32Array)[i] = value;
    }
  }
  return { sampleRate, channels };
}
