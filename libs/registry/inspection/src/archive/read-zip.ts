import type { ArchiveFile } from './archive-file.js';
import { type ZipEntry, zipEntries } from './zip-directory.js';
import { readZipEnd } from './zip-end.js';

interface ZipDirectory {
  /** Throws an ArchiveProblem at an entry that cannot be read. */
  readonly entries: Iterable<ZipEntry>;
  /** Where the directory begins, and the data of entries must end. */
  readonly start: number;
}

export async function readZipDirectory(file: ArchiveFile): Promise<ZipDirectory> {
  const end = await readZipEnd(file);
  const directory = await file.read(end.start, end.bytes);
  return { entries: zipEntries(directory, end.entries), start: end.start };
}
