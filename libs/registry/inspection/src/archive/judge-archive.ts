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
 * a stream, in memory that does not depend on its size. Rejects only where the file itself cannot be read, and once `signal` is
 * aborted.
 */
export async function judgeArchive(
  path: string,
  bounds: ArchiveBounds = ARCHIVE_BOUNDS,
  signal: AbortSignal | null = null,
): Promise<ArchiveVerdict> {
  return ArchiveFile.use(path, async (file) => {
    try {
      return await accept(file, new EntryRules(bounds, file.bytes), { bounds, signal });
    } catch (error) {
      if (error instanceof ArchiveProblem) return { accepted: false, problem: error.message };
      throw error;
    }
  });
}

async function accept(
  file: ArchiveFile,
  rules: EntryRules,
  { bounds, signal }: { readonly bounds: ArchiveBounds; readonly signal: AbortSignal | null },
): Promise<ArchiveVerdict> {
  const format = await readArchiveFormat(file);
  if (format === 'zip') await admitZip(file, rules, signal);
  else {
    const unpacked = unlessAborted(gunzipFile(file.path, file.bytes, bounds), signal);
    for await (const entry of readTar(unpacked)) rules.admit(entry);
  }
  rules.finish();
  return { accepted: true, format, entries: rules.entries, unpackedBytes: rules.unpackedBytes };
}

async function* unlessAborted(chunks: AsyncIterable<Buffer>, signal: AbortSignal | null): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

async function admitZip(file: ArchiveFile, rules: EntryRules, signal: AbortSignal | null): Promise<void> {
  const directory = await readZipDirectory(file);
  const places: { name: string; from: number; to: number }[] = [];
  for (const entry of directory.entries) {
    signal?.throwIfAborted();
    rules.admit(entry);
    const start = await dataStart(file, entry, directory.start);
    places.push({ name: entry.name, from: entry.offset, to: start + entry.packedSize });
  }
  await checkGaps(file, places, directory.start);
}
