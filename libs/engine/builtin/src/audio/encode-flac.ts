import { createHash } from 'node:crypto';
import { BitWriter } from './bit-writer.js';
import { crc16, crc8 } from './flac-checksums.js';

const BLOCK = 4096;
const BITS = 16;
const MAX_ORDER = 4;
const MAX_RICE = 14;
const BLOCK_STREAMINFO = 0;
const BLOCK_COMMENT = 4;
const LAST = 0x80;
/** A metadata block has a length of 24 bits. */
const MAX_COMMENT = 0xffffff;

/** A sound as 16-bit samples, one array per channel, all of one length. */
interface PcmSound {
  readonly sampleRate: number;
  readonly channels: readonly Int16Array[];
}

/** Encodes FLAC with fixed predictors and one Rice parameter per block; `comments` become tags. */
export function encodeFlac(sound: PcmSound, comments: readonly (readonly [string, string])[]): readonly Uint8Array[] {
  const total = sound.channels[0]?.length ?? 0;
  const frames: Uint8Array[] = [];
  for (let start = 0; start < total; start += BLOCK) {
    const block = sound.channels.map((channel) => channel.subarray(start, Math.min(start + BLOCK, total)));
    frames.push(encodeFrame(block, frames.length));
  }
  const comment = commentBlock(comments);
  return [
    Buffer.from('fLaC'),
    metadata(BLOCK_STREAMINFO, streamInfo(sound, total)),
    metadata(BLOCK_COMMENT | LAST, comment),
    ...frames,
  ];
}

function metadata(type: number, body: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  head[0] = type;
  return Buffer.concat([head, body]);
}

function streamInfo({ sampleRate, channels }: PcmSound, total: number): Uint8Array {
  const bits = new BitWriter(34);
  bits.write(BLOCK, 16);
  bits.write(BLOCK, 16);
  bits.write(0, 24);
  bits.write(0, 24);
  bits.write(sampleRate, 20);
  bits.write(channels.length - 1, 3);
  bits.write(BITS - 1, 5);
  bits.write(Math.floor(total / 2 ** 32), 4);
  bits.write(total >>> 0, 32);
  const interleaved = new Int16Array(total * channels.length);
  channels.forEach((channel, c) => {
    for (let i = 0; i < total; i += 1) interleaved[i * channels.length + c] = channel[i] as number;
  });
  const sum = createHash('md5').update(new Uint8Array(interleaved.buffer)).digest();
  return Buffer.concat([bits.finished(), sum]);
}

function commentBlock(comments: readonly (readonly [string, string])[]): Uint8Array {
  const sized = (text: string): Buffer => {
    const bytes = Buffer.from(text, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const count = Buffer.alloc(4);
  const kept = comments.map(([key, text]) => sized(`${key}=${text}`));
  count.writeUInt32LE(kept.length);
  const block = Buffer.concat([sized('Heddle'), count, ...kept]);
  return block.length <= MAX_COMMENT ? block : commentBlock([]);
}

function encodeFrame(channels: readonly Int16Array[], number: number): Uint8Array {
  const size = channels[0]?.length ?? 0;
  const bits = new BitWriter(size * channels.length * 2 + 32);
  bits.write(0x3ffe, 14);
  bits.write(0, 2);
  // Block size as 16 bits at the end of the header; sample rate as in STREAMINFO.
  bits.write(0b0111, 4);
  bits.write(0, 4);
  bits.write(channels.length - 1, 4);
  bits.write(0b100, 3);
  bits.write(0, 1);
  writeFrameNumber(bits, number);
  bits.write(size - 1, 16);
  bits.write(crc8(bits.finished()), 8);
  for (const channel of channels) writeSubframe(bits, channel);
  bits.align();
  bits.write(crc16(bits.finished()), 16);
  return bits.finished();
}

/** Writes a number in the UTF-8 scheme, up to 36 bits. */
function writeFrameNumber(bits: BitWriter, number: number): void {
  if (number < 0x80) {
    bits.write(number, 8);
    return;
  }
  let following = 1;
  while (number >= 2 ** (6 + following * 5)) following += 1;
  bits.write(((0xff << (7 - following)) & 0xff) | Math.floor(number / 2 ** (6 * following)), 8);
  for (let i = following - 1; i >= 0; i -= 1) bits.write(0x80 | (Math.floor(number / 2 ** (6 * i)) & 0x3f), 8);
}

function writeSubframe(bits: BitWriter, samples: Int16Array): void {
  const first = samples[0] ?? 0;
  if (samples.every((sample) => sample === first)) {
    bits.write(0, 8);
    bits.write(first & 0xffff, BITS);
    return;
  }
  const { order, residual } = bestPrediction(samples);
  bits.write((0b001000 | order) << 1, 8);
  for (let i = 0; i < order; i += 1) bits.write((samples[i] as number) & 0xffff, BITS);
  const parameter = riceParameter(residual);
  bits.write(0, 2);
  bits.write(0, 4);
  bits.write(parameter, 4);
  for (const value of residual) {
    const folded = value >= 0 ? value * 2 : -value * 2 - 1;
    bits.writeUnary(folded >>> parameter);
    if (parameter > 0) bits.write(folded & ((1 << parameter) - 1), parameter);
  }
}

/** The fixed predictor with the smallest residual, and this residual. */
function bestPrediction(samples: Int16Array): { order: number; residual: Int32Array } {
  let residual = Int32Array.from(samples);
  let best = { order: 0, residual, sum: absoluteSum(residual) };
  for (let order = 1; order <= Math.min(MAX_ORDER, samples.length - 1); order += 1) {
    const next = new Int32Array(residual.length - 1);
    for (let i = 0; i < next.length; i += 1) next[i] = (residual[i + 1] as number) - (residual[i] as number);
    residual = next;
    const sum = absoluteSum(residual);
    if (sum < best.sum) best = { order, residual, sum };
  }
  return best;
}

function absoluteSum(values: Int32Array): number {
  let sum = 0;
  for (const value of values) sum += Math.abs(value);
  return sum;
}

function riceParameter(residual: Int32Array): number {
  const mean = (absoluteSum(residual) * 2) / Math.max(residual.length, 1);
  return Math.min(MAX_RICE, Math.max(0, Math.floor(Math.log2(Math.max(mean, 1)))));
}
