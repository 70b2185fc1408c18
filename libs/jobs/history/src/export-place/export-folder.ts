import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ExportPlace, FileTrouble } from './export-place.js';
import { digestOf, syncFile, syncFolder } from './file-on-disk.js';
import { ExportError, MANIFEST_FILE, MAX_MANIFEST_BYTES, manifestText, parseManifest } from './manifest.js';
import type { ExportFile, ExportManifest } from './manifest.js';

/** The folder of an export. */
export class ExportFolder implements ExportPlace {
  readonly name: string;
  /** Folders whose entries are on disk. */
  readonly #flushed = new Set<string>();

  constructor(folder: string) {
    this.name = resolve(folder);
  }

  localPath(file: string): string {
    return join(this.name, file);
  }

  async manifest(): Promise<ExportManifest | null> {
    const path = this.localPath(MANIFEST_FILE);
    const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (found === null) return null;
    if (!found.isFile()) throw new ExportError('manifest_mismatch', `${path} is not a regular file`);
    if (found.size > MAX_MANIFEST_BYTES)
      throw new ExportError('manifest_mismatch', `${path} has more than ${MAX_MANIFEST_BYTES} bytes`);
    return parseManifest(await readFile(path, 'utf8'), path);
  }

  async publish(manifest: ExportManifest): Promise<void> {
    const path = this.localPath(MANIFEST_FILE);
    // What a crash left; a link that somebody put there is not followed.
    await rm(`${path}.new`, { force: true });
    try {
      await writeFile(`${path}.new`, manifestText(manifest), { flag: 'wx', flush: true });
    } catch (error) {
      await rm(`${path}.new`, { force: true });
      // A failed write does not name its file.
      throw Object.assign(error as Error, { path });
    }
    await rename(`${path}.new`, path);
    await syncFolder(this.name);
  }

  async fetch({ path, bytes, sha256 }: ExportFile): Promise<FileTrouble | null> {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const found = await lstat(this.localPath(parts.slice(0, depth).join('/'))).catch(() => null);
      if (found === null) return 'missing';
      if (found.isSymbolicLink()) return 'link';
      if (depth === parts.length && (!found.isFile() || found.size !== bytes)) return 'changed';
    }
    return (await digestOf(this.localPath(path))) === sha256 ? null : 'changed';
  }

  async files(): Promise<readonly string[]> {
    const entries = await readdir(this.localPath('events'), { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.name.length + 1))
      .sort();
  }

  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    await this.#makeFolder('.');
    const events = await lstat(this.localPath('events')).catch(() => null);
    if (events?.isSymbolicLink())
      throw new ExportError('export_torn', `${this.localPath('events')} is a symbolic link`);
    // Readers need no lock and not its packages.
    const { withFolderLock } = await import('./folder-lock.js');
    return await withFolderLock(this.name, work);
  }

  async add(file: string, write: (localPath: string) => Promise<void>): Promise<Pick<ExportFile, 'bytes' | 'sha256'>> {
    const path = this.localPath(file);
    await this.#makeFolder(dirname(file));
    try {
      await write(path);
      await syncFile(path);
      return { bytes: (await stat(path)).size, sha256: await digestOf(path) };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async remove(file: string): Promise<void> {
    await rm(this.localPath(file), { force: true });
  }

  /**
   * A file outlasts a power loss once the entry of each folder above it is on disk, also of a folder that an export
   * which crashed has made. Folders above the export are flushed if they are new.
   */
  async #makeFolder(folder: string): Promise<void> {
    const path = this.localPath(folder);
    const first = await mkdir(path, { recursive: true });
    const top = first !== undefined && first.length <= this.name.length ? first : this.localPath('events');
    for (let made = path; made.length >= top.length && !this.#flushed.has(made); made = dirname(made)) {
      await syncFolder(dirname(made));
      this.#flushed.add(made);
    }
  }
}
