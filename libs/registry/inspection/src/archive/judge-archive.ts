import { ARCHIVE_BOUNDS, type ArchiveBounds } from './archive-bounds.js';
import { ArchiveFile } from './archive-file.js';
import { type ArchiveFormat, readArchiveFormat } from './archive-format.js';
import { ArchiveProblem } from './archive-problem.js';
import { EntryRules } from './entry-rules.js';
import { gunzipFile } from './gunzip-file.js';
import { readTar } from './read-tar.js';
import { readZipDirectory } from './read-zip.js';
import { checkGaps, dataStart } from './zip-local-header.js';

export type ArchiveVerdict =
  | {
      readonly accepted: true;
      readonly format: ArchiveFormat;
      readonly entries: number;
      readonly unpackedBytes: number;
    }
  /** `problem`: sentences that name the entry, what is wrong with it, and what would be right. */
  | { readonly accepted: false; readonly problem: string };

/**
 * Judges the structure of an uploaded file (registry decisions, Archive). Nothing of a zip is unpacked; a gzipped tar is read as
 * a stream, in memory that does not depend on its size. Rejects only where the file itself cannot be read.
 */
export async function judgeArchive(path: string, bounds: ArchiveBounds = ARCHIVE_BOUNDS): Promise<ArchiveVerdict> {
  return ArchiveFile.use(path, async (file) => {
    try {
      return await accept(file, bounds);
    } catch (error) {
      if (error instanceof ArchiveProblem) return { accepted: false, problem: error.message };
      throw error;
    }
  });
}

async function accept(file: ArchiveFile, bounds: ArchiveBounds): Promise<ArchiveVerdict> {
  const format = await readArchiveFormat(file);
  const rules = new EntryRules(bounds, file.bytes);
  if (format === 'zip') await admitZip(file, rules);
  else for await (const entry of readTar(gunzipFile(file.path, file.bytes, bounds))) rules.admit(entry);
  rules.finish();
  return { accepted: true, format, entries: rules.entries, unpackedBytes: rules.unpackedBytes };
}

async function admitZip(file: ArchiveFile, rules: EntryRules): Promise<void> {
  const directory = await readZipDirectory(file);
  const places: { name: string; from: number; to: number }[] = [];
  for (const entry of directory.entries) {
    rules.admit(entry);
    const start = await dataStart(file, entry, directory.start);
    places.push({ name: entry.name, from: entry.offset, to: start + entry.packedSize });
  }
  await checkGaps(file, places, directory.start);
}
