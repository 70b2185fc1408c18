import type { PackageFiles } from '../package-files.js';
import { ARCHIVE_BOUNDS, PACKAGE_BOUNDS, type PackageBounds } from './archive-bounds.js';
import { partsOf } from './archive-entry.js';
import { ArchiveFile } from './archive-file.js';
import { readArchiveFormat } from './archive-format.js';
import { ArchiveProblem, shown } from './archive-problem.js';
import { EntryRules } from './entry-rules.js';
import { gunzipFile } from './gunzip-file.js';
import { PackageCollector, type OtherText } from './package-collector.js';
import { readTar } from './read-tar.js';
import { readZipDirectory } from './read-zip.js';
import { verifyZipEntry } from './verify-zip-entry.js';
import { dataStart } from './zip-local-header.js';

/**
 * Reads the files of a package that extraction and scan need into memory: nothing is written to disk. Every entry is unpacked
 * to find sizes that lie and wrong checksums, under the bounds of `judgeArchive`; `lookAt` gets the text of the files that are not
 * kept. Rejects only where the file cannot be read.
 */
export async function readPackageFiles(
  path: string,
  bounds: PackageBounds = PACKAGE_BOUNDS,
  lookAt: OtherText = () => undefined,
): Promise<PackageFiles> {
  const collector = new PackageCollector(bounds, lookAt);
  await ArchiveFile.use(path, async (file) => {
    try {
      const format = await readArchiveFormat(file);
      const rules = new EntryRules(ARCHIVE_BOUNDS, file.bytes);
      await (format === 'zip' ? collectZip : collectTar)(file, rules, collector);
    } catch (error) {
      if (!(error instanceof ArchiveProblem)) throw error;
      collector.damaged('', error.message);
    }
  });
  return collector.files();
}

async function collectZip(file: ArchiveFile, rules: EntryRules, collector: PackageCollector): Promise<void> {
  const directory = await readZipDirectory(file);
  for (const entry of directory.entries) {
    rules.admit(entry);
    if (entry.kind !== 'file') continue;
    const path = partsOf(entry.name).join('/');
    const wanted = collector.wants(path, entry.size);
    const start = await dataStart(file, entry, directory.start);
    try {
      const content = await verifyZipEntry(file, entry, start, wanted);
      if (wanted) collector.add(path, content);
    } catch (error) {
      if (!(error instanceof ArchiveProblem)) throw error;
      collector.damaged(path, `The entry ${shown(entry.name)} ${error.message} Pack the package again.`);
    }
  }
}

async function collectTar(file: ArchiveFile, rules: EntryRules, collector: PackageCollector): Promise<void> {
  for await (const entry of readTar(gunzipFile(file.path, file.bytes, ARCHIVE_BOUNDS))) {
    rules.admit(entry);
    if (entry.kind !== 'file') continue;
    const name = partsOf(entry.name).join('/');
    if (collector.wants(name, entry.size)) collector.add(name, await entry.read());
  }
}
