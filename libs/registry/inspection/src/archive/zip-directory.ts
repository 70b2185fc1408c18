import type { ArchiveEntry } from './archive-entry.js';
import { ArchiveProblem, shown } from './archive-problem.js';
import { extraFields, readZip64Sizes } from './zip-extra-fields.js';
import { nameOf } from './zip-name.js';

const RECORD_BYTES = 46;
/** Encrypted; strongly encrypted; the directory itself is encrypted. */
const ENCRYPTED_FLAGS = 0x2041;
const AES_METHOD = 99;

export interface ZipEntry extends ArchiveEntry {
  readonly packedSize: number;
  readonly rawName: Buffer;
  readonly flags: number;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc32: number;
  /** Where the local header begins. */
  readonly offset: number;
}

/** The entries of a zip in the order of its directory. */
export function* zipEntries(directory: Buffer, count: number): Generator<ZipEntry> {
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + RECORD_BYTES > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw contradiction();
    const nameBytes = directory.readUInt16LE(at + 28);
    const extraBytes = directory.readUInt16LE(at + 30);
    const next = at + RECORD_BYTES + nameBytes + extraBytes + directory.readUInt16LE(at + 32);
    if (next > directory.length) throw contradiction();
    const rawName = directory.subarray(at + RECORD_BYTES, at + RECORD_BYTES + nameBytes);
    const extra = directory.subarray(at + RECORD_BYTES + nameBytes, at + RECORD_BYTES + nameBytes + extraBytes);
    yield readRecord(directory.subarray(at, at + RECORD_BYTES), rawName, extra);
    at = next;
  }
  if (at !== directory.length) throw contradiction();
}

function readRecord(record: Buffer, rawName: Buffer, extra: Buffer): ZipEntry {
  const flags = record.readUInt16LE(8);
  const method = record.readUInt16LE(10);
  const fields = extraFields(extra, rawName);
  const name = nameOf(rawName, flags, fields);
  if ((flags & ENCRYPTED_FLAGS) !== 0 || method === AES_METHOD) {
    throw new ArchiveProblem(`The entry ${shown(name)} is encrypted. Pack the package without a password.`);
  }
  if (method !== 0 && method !== 8) {
    throw new ArchiveProblem(
      `The entry ${shown(name)} is packed by method ${method}. Entries must be stored or deflated, as zip does by default.`,
    );
  }
  const sizes = readZip64Sizes(fields, name, {
    size: record.readUInt32LE(24),
    packedSize: record.readUInt32LE(20),
    offset: record.readUInt32LE(42),
  });
  if (method === 0 && sizes.size !== sizes.packedSize) {
    throw new ArchiveProblem(
      `The entry ${shown(name)} is stored as ${sizes.packedSize} bytes and declares ${sizes.size}. Both must be equal.`,
    );
  }
  return {
    name,
    kind: kindOf(name, record.readUInt32LE(38)),
    rawName,
    flags,
    method,
    crc32: record.readUInt32LE(16),
    ...sizes,
  };
}

/** The upper half of the attributes is the mode of Unix, or 0. */
function kindOf(name: string, attributes: number): ArchiveEntry['kind'] {
  const folder = name.endsWith('/');
  switch ((attributes >>> 28) & 0xf) {
    case 0:
    case 0o10:
      return folder ? 'folder' : 'file';
    case 0o4:
      return folder ? 'folder' : 'unknown';
    case 0o12:
      return 'link';
    default:
      return 'device';
  }
}

function contradiction(): ArchiveProblem {
  return new ArchiveProblem(
    'The zip file cannot be read: its directory does not have the entries that the record at its end declares. ' +
      'Pack the package again.',
  );
}
