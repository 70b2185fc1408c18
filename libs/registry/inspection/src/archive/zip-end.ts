import type { ArchiveFile } from './archive-file.js';
import { MAX_DIRECTORY_BYTES } from './archive-bounds.js';
import { ArchiveProblem } from './archive-problem.js';

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const END64_BYTES = 56;
const MAX_COMMENT_BYTES = 0xffff;

/** Where the directory of a zip is, and how many entries it has. */
interface ZipEnd {
  readonly entries: number;
  readonly start: number;
  readonly bytes: number;
}

/**
 * Finds the directory by the record at the end of the file. Readers of zip files disagree about records that contradict each other
 * or are followed by other bytes: then one of them sees other files than another. Such an archive is refused.
 */
export async function readZipEnd(file: ArchiveFile): Promise<ZipEnd> {
  const tailBytes = Math.min(file.bytes, END_BYTES + MAX_COMMENT_BYTES + LOCATOR_BYTES);
  const tail = await file.read(file.bytes - tailBytes, tailBytes);
  const at = tail.lastIndexOf('PK\x05\x06', tail.length - END_BYTES, 'latin1');
  if (at < 0) throw unreadable('its directory at the end is missing, as if it were cut short');
  if (at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) {
    throw unreadable('its length does not match the record at its end');
  }
  const record: ZipEnd = {
    entries: tail.readUInt16LE(at + 10),
    bytes: tail.readUInt32LE(at + 12),
    start: tail.readUInt32LE(at + 16),
  };
  const disks = tail.readUInt16LE(at + 4) + tail.readUInt16LE(at + 6);
  if (disks !== 0 || tail.readUInt16LE(at + 8) !== record.entries) throw unreadable('it is a part of a split archive');
  const position = file.bytes - tailBytes + at;
  const locator = at - LOCATOR_BYTES;
  const is64 = locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50;
  if (is64) return readZip64End(file, position - LOCATOR_BYTES, tail.readBigUInt64LE(locator + 8), record);
  return checked(record, position);
}

async function readZip64End(file: ArchiveFile, locator: number, at: bigint, small: ZipEnd): Promise<ZipEnd> {
  if (at !== BigInt(locator - END64_BYTES)) throw unreadable('its zip64 record is not at its end');
  const record = await file.read(locator - END64_BYTES, END64_BYTES);
  if (record.readUInt32LE(0) !== 0x06064b50 || record.readBigUInt64LE(4) !== BigInt(END64_BYTES - 12)) {
    throw unreadable('its zip64 record is damaged');
  }
  const entries = Number(record.readBigUInt64LE(32));
  const bytes = Number(record.readBigUInt64LE(40));
  const start = Number(record.readBigUInt64LE(48));
  const agree = (large: number, value: number, placeholder: number): boolean =>
    value === placeholder || value === large;
  if (
    record.readBigUInt64LE(24) !== record.readBigUInt64LE(32) ||
    record.readBigUInt64LE(16) !== 0n ||
    !agree(entries, small.entries, 0xffff) ||
    !agree(bytes, small.bytes, 0xffffffff) ||
    !agree(start, small.start, 0xffffffff)
  ) {
    throw unreadable('its zip64 record contradicts the record at its end');
  }
  return checked({ entries, bytes, start }, locator - END64_BYTES);
}

function checked(end: ZipEnd, position: number): ZipEnd {
  if (end.start + end.bytes !== position) throw unreadable('its directory is not where the record at its end says');
  if (end.bytes > MAX_DIRECTORY_BYTES) throw unreadable(`its directory is larger than ${MAX_DIRECTORY_BYTES} bytes`);
  return end;
}

function unreadable(why: string): ArchiveProblem {
  return new ArchiveProblem(`The zip file cannot be read: ${why}. Pack the package again and upload the whole file.`);
}
