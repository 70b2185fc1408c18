import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** PNG's colour type by the number of channels. */
export const COLOUR_TYPE: Readonly<Record<number, number>> = { 1: 0, 2: 4, 3: 2, 4: 6 };
/** Below this many bytes the detour over the thread pool costs more than it frees. */
const INLINE_BYTES = 64 * 1024;
const SAMPLE_STEP = 7;
const deflateInThread = promisify<Uint8Array, { level: number }, Buffer>(deflate);

/**
 * An 8-bit PNG in three parts, header, place for text chunks (`null`) and image data: the text differs from graph to
 * graph while the rest can be kept. `pixels` holds rows of interleaved channels.
 */
export async function encodePng(
  pixels: Uint8Array,
  { width, height, channels, level }: { width: number; height: number; channels: number; level: number },
): Promise<readonly (Uint8Array | null)[]> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, COLOUR_TYPE[channels] ?? 2, 0, 0, 0], 8);
  const rows = filterRows(pixels, width * channels, height, channels);
  const data = rows.length < INLINE_BYTES ? deflateSync(rows, { level }) : await deflateInThread(rows, { level });
  return [
    Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', head)]),
    null,
    Buffer.concat([pngChunk('IDAT', data), pngChunk('IEND', new Uint8Array(0))]),
  ];
}

/** A tEXt chunk; `text` is ASCII. */
export function pngText(keyword: string, text: string): Uint8Array {
  return pngChunk('tEXt', Buffer.from(`${keyword}\0${text}`, 'latin1'));
}

/** A chunk with its length and checksum. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

/** Rows with their PNG filter (none, left or up), each chosen by the smaller residues of a sample of the row. */
export function filterRows(pixels: Uint8Array, rowLength: number, height: number, channels: number): Buffer {
  const out = Buffer.allocUnsafe(height * (rowLength + 1));
  for (let y = 0; y < height; y += 1) {
    const row = pixels.subarray(y * rowLength, (y + 1) * rowLength);
    const above = y === 0 ? null : pixels.subarray((y - 1) * rowLength, y * rowLength);
    let at = y * (rowLength + 1);
    // A row like the one above, as in plain areas, needs no closer look.
    if (above !== null && Buffer.compare(row, above) === 0) {
      out[at] = 2;
      out.fill(0, at + 1, at + 1 + rowLength);
      continue;
    }
    const filter = chooseFilter(row, above, channels);
    out[at++] = filter;
    if (filter === 0) {
      out.set(row, at);
    } else if (filter === 1) {
      out.set(row.subarray(0, channels), at);
      for (let i = channels; i < rowLength; i += 1) out[at + i] = (row[i] as number) - (row[i - channels] as number);
    } else if (above) {
      for (let i = 0; i < rowLength; i += 1) out[at + i] = (row[i] as number) - (above[i] as number);
    }
  }
  return out;
}

function chooseFilter(row: Uint8Array, above: Uint8Array | null, channels: number): 0 | 1 | 2 {
  let plain = 0;
  let left = 0;
  let up = 0;
  for (let i = channels; i < row.length; i += SAMPLE_STEP) {
    const value = row[i] as number;
    plain += residue(value);
    left += residue(value - (row[i - channels] as number));
    if (above) up += residue(value - (above[i] as number));
  }
  if (above && up < plain && up <= left) return 2;
  return left < plain ? 1 : 0;
}

function residue(difference: number): number {
  const byte = difference & 0xff;
  return byte < 128 ? byte : 256 - byte;
}
