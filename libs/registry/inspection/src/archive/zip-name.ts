import { crc32 } from 'node:zlib';
import { ArchiveProblem, shown } from './archive-problem.js';
import { decodeText } from './decode-text.js';

const UNICODE_PATH = 0x7075;

/**
 * The name of an entry. Names that are not UTF-8 are read as Latin-1, or from the field that some tools add for them.
 * Two different names are refused: readers disagree about which one counts.
 */
export function nameOf(rawName: Buffer, flags: number, fields: ReadonlyMap<number, Buffer>): string {
  const name = decodeText(rawName);
  const field = fields.get(UNICODE_PATH);
  if (field === undefined || field.length < 5 || field.readUInt32LE(1) !== crc32(rawName)) return name.text;
  const second = decodeText(field.subarray(5));
  if (second.text !== name.text && (name.utf8 || (flags & 0x800) !== 0)) {
    throw new ArchiveProblem(
      `The entry ${shown(name.text)} is also named ${shown(second.text)}. An entry must have one name.`,
    );
  }
  return second.text;
}
