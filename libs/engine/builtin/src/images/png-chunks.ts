import { constants, deflateSync, inflateSync } from 'node:zlib';
import { pngChunk, PNG_SIGNATURE } from './encode-png.js';

export interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
}

/** What a picture needs besides its pixels. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'eXIf']);
/** Samples of a pixel by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Interlaced pictures come in seven passes, each with its first column and row and its steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The chunks of a PNG; the last one may be cut short, checksums are not looked at. */
export function pngChunks(file: Buffer): readonly PngChunk[] {
  const chunks: PngChunk[] = [];
  for (let at = PNG_SIGNATURE.length; at + 8 <= file.length;) {
    const length = file.readUInt32BE(at);
    const data = file.subarray(at + 8, Math.min(at + 8 + length, file.length));
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data });
    at += length + 12;
  }
  return chunks;
}

/** A whole PNG of these chunks, each with its right checksum. */
export function pngOf(chunks: readonly PngChunk[]): Buffer {
  return Buffer.concat([PNG_SIGNATURE, ...chunks.map(({ type, data }) => pngChunk(type, data))]);
}

/**
 * A whole PNG from a damaged one: the rows that can be read, the others zero, as Pillow shows a file that ends too soon.
 * `header` is the data of IHDR, whose sides the caller has checked.
 */
export function repairPng(chunks: readonly PngChunk[], header: Buffer): Buffer {
  const lengths = rowLengths(header);
  const all = lengths.reduce((sum, { rows, bytes }) => sum + rows * bytes, 0);
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const readable = inflateReadable(packed, all);
  const whole = Buffer.alloc(all);
  readable.copy(whole, 0, 0, wholeRows(lengths, readable.length));
  const kept = chunks.filter(({ type }) => KEPT.has(type));
  const data = deflateSync(whole, { level: 1 });
  return pngOf([...kept, { type: 'IDAT', data }, { type: 'IEND', data: Buffer.alloc(0) }]);
}

/** What of the stream can be unpacked; the rest is missing or broken. */
function inflateReadable(packed: Buffer, most: number): Buffer {
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: most });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Rows with their filter byte, of the picture or of each of its passes. */
function rowLengths(header: Buffer): readonly { rows: number; bytes: number }[] {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bits = (header[8] ?? 8) * (SAMPLES[header[9] ?? 0] ?? 1);
  const bytesOf = (pixels: number): number => 1 + Math.ceil((pixels * bits) / 8);
  if (header[12] !== 1) return [{ rows: height, bytes: bytesOf(width) }];
  return PASSES.flatMap(([left, top, right, down]) => {
    const [columns, rows] = [Math.ceil((width - left) / right), Math.ceil((height - top) / down)];
    return columns > 0 && rows > 0 ? [{ rows, bytes: bytesOf(columns) }] : [];
  });
}

/** So many of the bytes are rows to their end. */
function wholeRows(lengths: readonly { rows: number; bytes: number }[], available: number): number {
  let whole = 0;
  for (const { rows, bytes } of lengths) {
    const found = Math.min(rows, Math.floor((available - whole) / bytes));
    whole += found * bytes;
    if (found < rows) break;
  }
  return whole;
}
