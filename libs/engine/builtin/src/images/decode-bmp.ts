/** A Windows bitmap as interleaved RGB. */
interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

const FILE_HEADER = 14;
const MIN_HEADER = 40;

/** Sides of a bitmap; `null` when this is none of the kind that can be read: 1, 4, 8, 24 or 32 bits, not packed. */
export function bitmapSize(file: Buffer): { width: number; height: number } | null {
  if (file.length < FILE_HEADER + MIN_HEADER || file.toString('latin1', 0, 2) !== 'BM') return null;
  const [bits, packing] = [file.readUInt16LE(28), file.readUInt32LE(30)];
  if (file.readUInt32LE(14) < MIN_HEADER || packing !== 0 || ![1, 4, 8, 24, 32].includes(bits)) return null;
  const [width, height] = [file.readInt32LE(18), Math.abs(file.readInt32LE(22))];
  return width > 0 && height > 0 ? { width, height } : null;
}

/** Decodes a bitmap whose size was found to be right; rows that the file does not hold to their end are black. */
export function decodeBitmap(file: Buffer, { width, height }: { width: number; height: number }): Bitmap {
  const bits = file.readUInt16LE(28);
  const topDown = file.readInt32LE(22) < 0;
  const start = file.readUInt32LE(10);
  const palette = FILE_HEADER + file.readUInt32LE(14);
  const rowLength = Math.ceil((width * bits) / 32) * 4;
  const bytes = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const row = start + (topDown ? y : height - 1 - y) * rowLength;
    if (row + rowLength > file.length) continue;
    for (let x = 0, to = y * width * 3; x < width; x += 1, to += 3) {
      const at = bits >= 24 ? row + x * (bits / 8) : palette + 4 * indexAt(file, row, x, bits);
      bytes[to] = file[at + 2] ?? 0;
      bytes[to + 1] = file[at + 1] ?? 0;
      bytes[to + 2] = file[at] ?? 0;
    }
  }
  return { width, height, bytes };
}

function indexAt(file: Buffer, row: number, x: number, bits: number): number {
  const bit = x * bits;
  const byte = file[row + (bit >> 3)] ?? 0;
  return (byte >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
}
