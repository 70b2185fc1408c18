import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ARCHIVE_BOUNDS } from './archive-bounds.js';
import { partsOf } from './archive-entry.js';
import type { ArchiveEntry } from './archive-entry.js';
import { ArchiveFile } from './archive-file.js';
import { ArchiveProblem, shown } from './archive-problem.js';
import { EntryRules } from './entry-rules.js';
import { gunzipFile } from './gunzip-file.js';
import { judgeArchive } from './judge-archive.js';
import { readTar } from './read-tar.js';
import { readZipDirectory } from './read-zip.js';
import { checkedContent } from './verify-zip-entry.js';
import { dataStart } from './zip-local-header.js';

export type UnpackedArchive =
  | { readonly accepted: true; readonly files: number }
  /** `problem`: sentences that name the entry and what is wrong with it. What was written before stays. */
  | { readonly accepted: false; readonly problem: string };

/**
 * Unpacks an archive into a folder, which must not exist. Only files and folders below it are made, none with a mode that
 * runs, none is held in memory as a whole; the parser is that of `judgeArchive`, so both see the same entries. Rejects where a file cannot be read or written.
 */
export async function unpackArchive(path: string, folder: string): Promise<UnpackedArchive> {
  const verdict = await judgeArchive(path);
  if (!verdict.accepted) return verdict;
  await mkdir(folder);
  let files = 0;
  const write = async (entry: ArchiveEntry, content: AsyncIterable<Buffer>): Promise<void> => {
    const target = join(folder, ...partsOf(entry.name));
    if (entry.kind === 'folder') return void (await mkdir(target, { recursive: true }));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { flag: 'wx', mode: 0o644 });
    files += 1;
  };
  try {
    await ArchiveFile.use(path, async (file) => {
      const rules = new EntryRules(ARCHIVE_BOUNDS, file.bytes);
      await (verdict.format === 'zip' ? unpackZip : unpackTar)(file, rules, write);
    });
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error;
    return { accepted: false, problem: error.message };
  }
  return { accepted: true, files };
}

type Write = (entry: ArchiveEntry, content: AsyncIterable<Buffer>) => Promise<void>;

async function unpackZip(file: ArchiveFile, rules: EntryRules, write: Write): Promise<void> {
  const directory = await readZipDirectory(file);
  for (const entry of directory.entries) {
    rules.admit(entry);
    const start = await dataStart(file, entry, directory.start);
    try {
      await write(entry, checkedContent(file, entry, start));
    } catch (error) {
      if (!(error instanceof ArchiveProblem)) throw error;
      throw new ArchiveProblem(`The entry ${shown(entry.name)} ${error.message}`);
    }
  }
}

async function unpackTar(file: ArchiveFile, rules: EntryRules, write: Write): Promise<void> {
  for await (const entry of readTar(gunzipFile(file.path, file.bytes, ARCHIVE_BOUNDS))) {
    rules.admit(entry);
    await write(entry, entry.chunks());
  }
}
