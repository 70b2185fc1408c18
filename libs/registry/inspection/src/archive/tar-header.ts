import { ArchiveProblem } from './archive-problem.js';
import { decodeText } from './decode-text.js';

export const BLOCK_BYTES = 512;

export interface TarHeader {
  readonly name: string;
  readonly size: number;
  /** The character that says what follows: `0` a file, `5` a folder, `x` an extended header and so on. */
  readonly type: string;
}

/** The header in a block of 512 bytes; undefined for the block of zeros that ends a tar. */
export function readTarHeader(block: Buffer): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== octal(block, 148, 8)) throw damaged();
  const size = octal(block, 124, 12);
  if (!Number.isSafeInteger(size)) throw damaged();
  const name = field(block, 0, 100);
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? field(block, 345, 155) : '';
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size,
    type: String.fromCharCode(block[156] ?? 0),
  };
}

function damaged(): ArchiveProblem {
  return new ArchiveProblem('The archive is not a tar, or its headers are damaged. Upload a zip or a gzipped tar.');
}

function field(block: Buffer, at: number, length: number): string {
  const bytes = block.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return decodeText(end < 0 ? bytes : bytes.subarray(0, end)).text;
}

/** Octal digits, or a binary number behind a byte of 0x80 as GNU writes large sizes. NaN for anything else. */
function octal(block: Buffer, at: number, length: number): number {
  const bytes = block.subarray(at, at + length);
  if (bytes[0] === 0x80) return bytes.subarray(1).reduce((value, byte) => value * 256 + byte, 0);
  const text = bytes.toString('latin1').replace(/\0.*$/s, '').trim();
  return /^[0-7]*$/.test(text) ? Number.parseInt(text || '0', 8) : Number.NaN;
}
