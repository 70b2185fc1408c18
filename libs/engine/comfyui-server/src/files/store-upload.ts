import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { ServedFolders, FolderType } from './engine-folders.js';

/** Maximum names tried for one file before the upload is refused. */
const MAX_TRIES = 10_000;

export interface Upload {
  readonly name: string;
  readonly type: FolderType;
  readonly subfolder: string;
  readonly overwrite: boolean;
  readonly bytes: Uint8Array;
}

/** The engine's answer to an upload: the name to use from now on. */
interface StoredUpload {
  readonly name: string;
  readonly subfolder: string;
  readonly type: FolderType;
}

/**
 * Writes an upload into its folder. Equal bytes under the same name are not written again; other bytes get the next
 * free name, `name (1).png`, unless the client overwrites. Null if the name leads out of the folder.
 */
export class UploadStore {
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly folders: ServedFolders) {}

  /** Sequential: two uploads of one name must see each other. */
  store(upload: Upload): Promise<StoredUpload | null> {
    const stored = this.turn.then(() => this.write(upload));
    this.turn = stored.catch(() => undefined);
    return stored;
  }

  private async write({ name, type, subfolder, overwrite, bytes }: Upload): Promise<StoredUpload | null> {
    const path = await this.folders.locate(type, subfolder, name);
    if (path === null) return null;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const target = overwrite ? { path, taken: false } : await freePath(path, bytes);
    if (target === null) return null;
    if (!target.taken) await replaceFile(target.path, bytes);
    return { name: basename(target.path), subfolder, type };
  }
}

async function freePath(path: string, bytes: Uint8Array): Promise<{ path: string; taken: boolean } | null> {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let i = 0; i < MAX_TRIES; i++) {
    const tried = i === 0 ? path : `${stem} (${i})${extension}`;
    const found = await stat(tried).catch(() => null);
    if (found === null) return { path: tried, taken: false };
    if (found.isFile() && found.size === bytes.byteLength && (await readFile(tried)).equals(bytes)) {
      return { path: tried, taken: true };
    }
  }
  return null;
}

/** A concurrent reader sees either the old or the new bytes; a link is replaced, not followed. */
async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const passing = join(dirname(path), `.${randomUUID()}.part`);
  await writeFile(passing, bytes, { flag: 'wx', mode: 0o600 });
  await rename(passing, path);
}
