import { BitReader } from './bit-reader.js';
import type { DecodedSound } from './decoded-sound.js';

const SIZES: Readonly<Record<number, number>> = { 1: 192, 2: 576, 3: 1152, 4: 2304, 5: 4608 };
const DEPTHS: Readonly<Record<number, number>> = { 1: 8, 2: 12, 4: 16, 5: 20, 6: 24, 7: 32 };
const LEFT_SIDE = 8;
const RIGHT_SIDE = 9;
const MID_SIDE = 10;

/** Decodes a FLAC file. Calls `reserve` before it takes memory. Throws `RangeError` for a broken file. */
export function decodeFlac(bytes: Uint8Array, reserve: (bytes: number) => void): DecodedSound {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 4;
  let info: Buffer | null = null;
  for (let last = false; !last;) {
    const type = view.readUInt8(at);
    const length = view.readUIntBE(at + 1, 3);
    if ((type & 0x7f) === 0) info = view.subarray(at + 4, at + 4 + length);
    last = (type & 0x80) !== 0;
    at += 4 + length;
  }
  if (info === null) throw new RangeError('no stream information');
  const sampleRate = info.readUIntBE(10, 3) >>> 4;
  const count = ((info.readUInt8(12) >> 1) & 7) + 1;
  const depth = (((info.readUInt8(12) & 1) << 4) | (info.readUInt8(13) >> 4)) + 1;
  const total = (info.readUInt8(13) & 15) * 2 ** 32 + info.readUInt32BE(14);
  // A frame of a few bytes can encode 65,535 equal samples; no file has more per byte.
  if (total > bytes.length * 65_536) throw new RangeError('more samples than the file can hold');
  reserve(total * count * 4);
  const channels = Array.from({ length: count }, () => new Float32Array(total));
  const scale = 2 ** (depth - 1);
  let done = 0;
  while (done < total && at < view.length) {
    const reader = new BitReader(bytes, at);
    const block = readFrame(reader, depth);
    block.forEach((samples, c) => {
      const to = channels[c];
      if (to)
        for (let i = 0; i < samples.length && done + i < total; i += 1) to[done + i] = (samples[i] as number) / scale;
    });
    done += block[0]?.length ?? 0;
    at = reader.position;
  }
  return { sampleRate, channels: channels.map((channel) => channel.subarray(0, Math.min(done, total))) };
}

/** The samples of one frame, by channel. */
function readFrame(reader: BitReader, streamDepth: number): readonly Int32Array[] {
  if (reader.read(14) !== 0x3ffe) throw new RangeError('lost the frames');
  reader.read(2);
  const [sizeCode, rateCode, assignment, depthCode] = [reader.read(4), reader.read(4), reader.read(4), reader.read(3)];
  reader.read(1);
  skipFrameNumber(reader);
  const size = sizeCode === 6 ? reader.read(8) + 1 : sizeCode === 7 ? reader.read(16) + 1 : blockSize(sizeCode);
  if (rateCode === 12) reader.read(8);
  else if (rateCode === 13 || rateCode === 14) reader.read(16);
  reader.read(8);
  const depth = DEPTHS[depthCode] ?? streamDepth;
  const count = assignment < LEFT_SIDE ? assignment + 1 : 2;
  const channels = Array.from({ length: count }, (_, c) => {
    const side =
      (c === 1 && (assignment === LEFT_SIDE || assignment === MID_SIDE)) || (c === 0 && assignment === RIGHT_SIDE);
    return readSubframe(reader, size, depth + (side ? 1 : 0));
  });
  reader.align();
  reader.read(16);
  decorrelate(channels, assignment);
  return channels;
}

function blockSize(code: number): number {
  return SIZES[code] ?? 256 * 2 ** (code - 8);
}

function skipFrameNumber(reader: BitReader): void {
  const first = reader.read(8);
  for (let mask = 0x40; first & 0x80 && first & mask; mask >>= 1) reader.read(8);
}

function decorrelate(channels: readonly Int32Array[], assignment: number): void {
  const [one, two] = channels;
  if (!one || !two || assignment < LEFT_SIDE) return;
  for (let i = 0; i < one.length; i += 1) {
    const [a, b] = [one[i] as number, two[i] as number];
    if (assignment === LEFT_SIDE) two[i] = a - b;
    else if (assignment === RIGHT_SIDE) one[i] = a + b;
    else {
      const mid = a * 2 + (b & 1);
      one[i] = (mid + b) / 2;
      two[i] = (mid - b) / 2;
    }
  }
}

function readSubframe(reader: BitReader, size: number, depth: number): Int32Array {
  reader.read(1);
  const type = reader.read(6);
  const wasted = reader.read(1) === 1 ? reader.readUnary() + 1 : 0;
  const bits = depth - wasted;
  const samples = new Int32Array(size);
  if (type === 0) samples.fill(reader.readSigned(bits));
  else if (type === 1) for (let i = 0; i < size; i += 1) samples[i] = reader.readSigned(bits);
  else if (type >= 8 && type <= 12) readPredicted(reader, samples, bits, fixedCoefficients(type - 8));
  else if (type >= 32) readPredicted(reader, samples, bits, null, type - 31);
  else throw new RangeError('a kind of subframe that does not exist');
  if (wasted > 0) for (let i = 0; i < size; i += 1) samples[i] = (samples[i] as number) << wasted;
  return samples;
}

function fixedCoefficients(order: number): readonly number[] {
  return [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]][order] ?? [];
}

function readPredicted(
  reader: BitReader,
  samples: Int32Array,
  bits: number,
  fixed: readonly number[] | null,
  order = fixed?.length ?? 0,
): void {
  for (let i = 0; i < Math.min(order, samples.length); i += 1) samples[i] = reader.readSigned(bits);
  let [coefficients, shift] = [fixed ?? [], 0];
  if (fixed === null) {
    const precision = reader.read(4) + 1;
    shift = reader.readSigned(5);
    coefficients = Array.from({ length: order }, () => reader.readSigned(precision));
  }
  readResidual(reader, samples, order);
  for (let i = order; i < samples.length; i += 1) {
    let sum = 0;
    for (let k = 0; k < order; k += 1) sum += (coefficients[k] as number) * (samples[i - 1 - k] as number);
    samples[i] = (samples[i] as number) + Math.floor(sum / 2 ** shift);
  }
}

function readResidual(reader: BitReader, samples: Int32Array, order: number): void {
  const wide = reader.read(2) === 1;
  const partitions = 1 << reader.read(4);
  const length = samples.length / partitions;
  let at = order;
  for (let p = 0; p < partitions; p += 1) {
    const parameter = reader.read(wide ? 5 : 4);
    const raw = parameter === (wide ? 31 : 15) ? reader.read(5) : -1;
    for (const end = (p + 1) * length; at < end; at += 1) {
      if (raw >= 0) {
        samples[at] = reader.readSigned(raw);
        continue;
      }
      const folded = reader.readUnary() * 2 ** parameter + reader.read(parameter);
      samples[at] = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    }
  }
}
