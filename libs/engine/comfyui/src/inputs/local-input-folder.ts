import { randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { link, lstat, mkdir, open, readdir, realpath, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EngineFile } from '@heddle/engine-port';
import type { InputFolderOptions } from '../engine-options.js';
import { InputRefused, splitName } from './file-names.js';

/** The only names that a sweep removes: those that Heddle derives from hashes. */
const OWN_FILE = /^(?:[0-9a-f]{64}(?:\.[a-z0-9]{1,10})?|\.[0-9a-f]{64}[.a-z0-9]*\.[0-9a-f-]{36}\.part)$/;
const OWN_SUBFOLDER = 'heddle';

/**
 * The engine's input folder on this machine. Files appear atomically, nothing is overwritten, and no link out of the
 * folder is followed.
 */
export class LocalInputFolder {
  readonly #options: InputFolderOptions;

  constructor(options: InputFolderOptions) {
    this.#options = options;
  }

  /** @throws InputRefused */
  async place(file: EngineFile): Promise<void> {
    const { subfolder, filename } = splitName(file.name);
    const folder = await this.#realFolder(subfolder);
    const target = join(folder, filename);
    if (await this.#isThere(target, file.sizeBytes)) return;
    const part = join(folder, `.${filename}.${randomUUID()}.part`);
    try {
      await this.#write(part, file);
      await link(part, target).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        await this.#isThere(target, file.sizeBytes);
      });
    } finally {
      await unlink(part).catch(() => undefined);
    }
  }

  /**
   * Removes own files unused for the retention time; `inUse` are names as passed to `place`. Returns the removed names.
   */
  async sweep(inUse: ReadonlySet<string>): Promise<string[]> {
    const folder = join(this.#options.path, OWN_SUBFOLDER);
    const isFolder = await lstat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) return [];
    const removed: string[] = [];
    for (const filename of await readdir(folder)) {
      const name = `${OWN_SUBFOLDER}/${filename}`;
      if (!OWN_FILE.test(filename) || inUse.has(name)) continue;
      if (await this.#removeOld(join(folder, filename))) removed.push(name);
    }
    return removed;
  }

  async #removeOld(path: string): Promise<boolean> {
    try {
      const found = await lstat(path);
      if (!found.isFile() || Date.now() - found.mtimeMs < this.#options.keepMs) return false;
      await unlink(path);
      return true;
    } catch {
      return false;
    }
  }

  async #isThere(target: string, sizeBytes: number): Promise<boolean> {
    const found = await lstat(target).catch(() => null);
    if (found === null) return false;
    if (!found.isFile() || found.size !== sizeBytes) {
      throw new InputRefused('the input folder has something else under the name of an input file; remove it there');
    }
    const now = new Date();
    // Its age counts from its last use.
    await utimes(target, now, now).catch(() => undefined);
    return true;
  }

  async #write(part: string, file: EngineFile): Promise<void> {
    const handle = await open(
      part,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o644,
    );
    await pipeline(await file.open(), createWriteStream('', { fd: handle }));
    const { size } = await lstat(part);
    if (size !== file.sizeBytes) throw new InputRefused('an input file ended before its last byte');
  }

  async #realFolder(subfolder: string): Promise<string> {
    let root: string;
    try {
      root = await realpath(this.#options.path);
    } catch {
      throw new InputRefused('the configured input folder does not exist');
    }
    let folder = root;
    for (const segment of subfolder === '' ? [] : subfolder.split('/')) {
      folder = join(folder, segment);
      await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw new InputRefused(`the input folder cannot be written (${error.code})`);
      });
      if (!(await lstat(folder)).isDirectory()) {
        throw new InputRefused('a folder below the input folder is a link or a file; it is not followed');
      }
    }
    return folder;
  }
}
