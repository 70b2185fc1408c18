import type { ArchiveFile } from './archive-file.js';
import { ArchiveProblem, shown } from './archive-problem.js';
import type { ZipEntry } from './zip-directory.js';
import { extraFields, readZip64Sizes } from './zip-extra-fields.js';

const HEADER_BYTES = 30;
const SIGNATURE = 0x04034b50;
/** Encrypted, and name in UTF-8. */
const COMPARED_FLAGS = 0x0801;
/** Sizes and checksum follow the data, and the header has zeros for them. */
const DESCRIPTOR_FLAG = 0x0008;
/** What may stand between the data of an entry and the next header: nothing, or one of the forms of a descriptor. */
const DESCRIPTOR_BYTES = [0, 12, 16, 20, 24];

/**
 * Where the data of an entry begin. Throws an ArchiveProblem where the header before them differs from the directory: readers
 * that stream an archive believe the header, all others the directory.
 */
export async function dataStart(file: ArchiveFile, entry: ZipEntry, directoryStart: number): Promise<number> {
  const differs = (what: string): ArchiveProblem =>
    new ArchiveProblem(
      `The entry ${shown(entry.name)} has a local header that differs from the directory in ${what}. Both must agree.`,
    );
  if (entry.offset + HEADER_BYTES > directoryStart) throw differs('its place');
  const header = await file.read(entry.offset, HEADER_BYTES);
  if (header.readUInt32LE(0) !== SIGNATURE) throw differs('its place');
  const nameBytes = header.readUInt16LE(26);
  const extraBytes = header.readUInt16LE(28);
  const start = entry.offset + HEADER_BYTES + nameBytes + extraBytes;
  if (start + entry.packedSize > directoryStart) throw differs('the length of its data');
  const rest = await file.read(entry.offset + HEADER_BYTES, nameBytes + extraBytes);
  if (!rest.subarray(0, nameBytes).equals(entry.rawName)) throw differs('its name');
  const flags = header.readUInt16LE(6);
  if (((flags ^ entry.flags) & COMPARED_FLAGS) !== 0) throw differs('its flags');
  if (header.readUInt16LE(8) !== entry.method) throw differs('its method');
  const sizes = readZip64Sizes(extraFields(rest.subarray(nameBytes), entry.rawName), entry.name, {
    size: header.readUInt32LE(22),
    packedSize: header.readUInt32LE(18),
    offset: 0,
  });
  const later = (flags & DESCRIPTOR_FLAG) !== 0;
  const agree = (local: number, value: number): boolean => local === value || (later && local === 0);
  if (!agree(sizes.size, entry.size) || !agree(sizes.packedSize, entry.packedSize)) throw differs('its sizes');
  if (!agree(header.readUInt32LE(14), entry.crc32)) throw differs('its checksum');
  return start;
}

/** Throws an ArchiveProblem where data overlap, or a header stands between them that the directory does not name. */
export async function checkGaps(
  file: ArchiveFile,
  places: readonly { name: string; from: number; to: number }[],
  directoryStart: number,
): Promise<void> {
  const ordered = [...places].sort((a, b) => a.from - b.from);
  let end = 0;
  for (const { name, from, to } of [...ordered, { name: '', from: directoryStart, to: directoryStart }]) {
    if (from < end) {
      throw new ArchiveProblem(`The entry ${shown(name)} overlaps another one. Each entry must have data of its own.`);
    }
    const gap = from - end < 4 ? Buffer.alloc(0) : await file.read(end, Math.min(from - end, 28));
    if (DESCRIPTOR_BYTES.some((at) => at + 4 <= gap.length && gap.readUInt32LE(at) === SIGNATURE)) {
      throw new ArchiveProblem(
        `The archive has an entry before ${name === '' ? 'its directory' : shown(name)} that its directory does not name. ` +
          'Pack the package again.',
      );
    }
    end = to;
  }
}
