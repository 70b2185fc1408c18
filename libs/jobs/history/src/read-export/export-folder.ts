import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EXPORTED_FILE, ExportError, MANIFEST_FILE, manifestText, parseManifest } from './manifest.js';
import type { ExportFile, ExportManifest } from './manifest.js';

/** Some 100 bytes a file: an export of a million files is refused before it is read into memory. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

/** The folder of an export. */
export class ExportFolder {
  readonly path: string;

  constructor(folder: string) {
    this.path = resolve(folder);
  }

  pathOf(file: string): string {
    return join(this.path, file);
  }

  /** The places of the listed files, segment by segment; none if there is no manifest, as the log is empty. */
  segmentsOf(
    manifest: ExportManifest | null,
    leftOut: ReadonlySet<string> = new Set(),
  ): readonly (readonly string[])[] {
    const pathsOf = (files: readonly ExportFile[]): string[] =>
      files.filter(({ path }) => !leftOut.has(path)).map(({ path }) => this.pathOf(path));
    return (manifest?.segments ?? []).map(({ files }) => pathsOf(files));
  }

  /** Null if the folder has no manifest. */
  async manifest(): Promise<ExportManifest | null> {
    const path = this.pathOf(MANIFEST_FILE);
    const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (found === null) return null;
    if (!found.isFile()) throw new ExportError('manifest_mismatch', `${MANIFEST_FILE} is not a regular file`);
    if (found.size > MAX_MANIFEST_BYTES)
      throw new ExportError('manifest_mismatch', `${MANIFEST_FILE} has more than ${MAX_MANIFEST_BYTES} bytes`);
    return parseManifest(await readFile(path, 'utf8'));
  }

  /** Readers see the former manifest or this one, also after a crash. */
  async publish(manifest: ExportManifest): Promise<void> {
    const path = this.pathOf(MANIFEST_FILE);
    // What a crash left; a link that somebody put there is not followed.
    await rm(`${path}.new`, { force: true });
    const file = await open(`${path}.new`, 'wx');
    try {
      await file.writeFile(manifestText(manifest));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
    await syncFolder(this.path);
  }

  /** Why a listed file is not the one that was exported; null if it is. */
  async trouble({ path, bytes, sha256 }: ExportFile): Promise<'missing' | 'link' | 'changed' | null> {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const found = await lstat(this.pathOf(parts.slice(0, depth).join('/'))).catch(() => null);
      if (found === null) return 'missing';
      if (found.isSymbolicLink()) return 'link';
      if (depth === parts.length && (!found.isFile() || found.size !== bytes)) return 'changed';
    }
    return (await digestOf(this.pathOf(path))) === sha256 ? null : 'changed';
  }

  /** Unlisted files that an export which crashed has left. @throws ExportError if the folder holds other files */
  async leftovers(manifest: ExportManifest | null): Promise<readonly string[]> {
    const events = await lstat(this.pathOf('events')).catch(() => null);
    if (events?.isSymbolicLink()) throw new ExportError('export_torn', `${this.pathOf('events')} is a symbolic link`);
    const unlisted = await this.unlisted(manifest);
    const foreign = unlisted.find((path) => !EXPORTED_FILE.test(path));
    if (foreign === undefined) return unlisted;
    throw new ExportError(
      'manifest_mismatch',
      `${this.pathOf(foreign)} is no file of an export: name a folder that holds an export or nothing`,
    );
  }

  /** Files below `events` that the manifest does not name. */
  async unlisted(manifest: ExportManifest | null): Promise<readonly string[]> {
    const listed = new Set(manifest?.segments.flatMap(({ files }) => files.map(({ path }) => path)) ?? []);
    const entries = await readdir(this.pathOf('events'), { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path.length + 1))
      .filter((path) => !listed.has(path))
      .sort();
  }
}

export async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

/** The name of a new file is on disk once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Flushes a written file and its name. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}
