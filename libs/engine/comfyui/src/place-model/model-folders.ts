import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { link, lstat, mkdir, open, realpath, unlink } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkedSafetensors, NotSafetensors } from './safetensors-header.js';

/** A model file to be placed in an engine folder. */
export interface ModelFile {
  /** The asset's own path, e.g. `models/checkpoints/base.safetensors`. */
  readonly filePath: string;
  readonly sizeBytes: number;
  open(): Promise<Readable>;
}

/**
 * Result for a model file. `elsewhere`: its path is under no configured folder, so it stays an asset only; `refused`:
 * it must not be placed there, with the reason; `taken`: another file has its name, which is never overwritten.
 */
type ModelPlacement =
  | { readonly kind: 'placed' | 'present' | 'elsewhere' | 'taken' }
  | { readonly kind: 'refused'; readonly reason: string };

/** What each placement says to an operator. */
export const PLACEMENT_LINES: Readonly<Record<Exclude<ModelPlacement['kind'], 'elsewhere'>, string>> = {
  placed: 'a model file was placed in a folder of the engine',
  present: 'a model file is already in the folder of the engine',
  taken: 'a model file was not placed: the folder of the engine has another file of this name',
  refused: 'a model file was not placed: its path or its content is not accepted',
};

/** Path prefix and folder of an entry such as `models/checkpoints=/absolute/folder`; null: it is not one. */
export function modelFolderOf(entry: string): readonly [prefix: string, folder: string] | null {
  const [prefix = '', folder = ''] = entry.split('=', 2);
  return /^models\/[a-z0-9_]+$/i.test(prefix) && isAbsolute(folder) ? [prefix, folder] : null;
}

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.() +-]{0,199}$/;

/**
 * The engine's model folders on this machine, by path prefix, e.g. `models/checkpoints`. Only safetensors files with a
 * valid header are placed, atomically; no link is followed and nothing is overwritten.
 */
export class ModelFolders {
  readonly #roots: ReadonlyMap<string, string>;

  /** `roots`: path prefix without a trailing slash, mapped to an existing absolute folder. */
  constructor(roots: ReadonlyMap<string, string>) {
    this.#roots = roots;
  }

  async place(file: ModelFile): Promise<ModelPlacement> {
    const found = [...this.#roots].find(([prefix]) => file.filePath.startsWith(`${prefix}/`));
    if (found === undefined) return { kind: 'elsewhere' };
    const [prefix, root] = found;
    const segments = file.filePath.slice(prefix.length + 1).split('/');
    const name = segments.at(-1) ?? '';
    const isPlain = segments.length <= 8 && segments.every((segment) => SEGMENT.test(segment));
    if (!isPlain || !name.toLowerCase().endsWith('.safetensors')) {
      return { kind: 'refused', reason: 'a model file needs a plain path that ends in .safetensors' };
    }
    try {
      return { kind: await this.#put(file, await realFolder(root, segments.slice(0, -1)), name) };
    } catch (error) {
      if (error instanceof NotSafetensors || error instanceof LinkInTheWay)
        return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  async #put(file: ModelFile, folder: string, name: string): Promise<'placed' | 'present' | 'taken'> {
    const target = join(folder, name);
    const part = join(folder, `.${randomUUID()}.part`);
    try {
      const handle = await open(
        part,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        0o644,
      );
      const out = createWriteStream('', { fd: handle });
      await pipeline(checkedSafetensors((await file.open()) as AsyncIterable<Buffer>, file.sizeBytes), out);
      return await link(part, target).then(
        () => 'placed' as const,
        async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
          return (await isSame(part, target)) ? 'present' : 'taken';
        },
      );
    } finally {
      await unlink(part).catch(() => undefined);
    }
  }
}

class LinkInTheWay extends Error {}

/** The folder below the root, created if missing; a link on the path is refused. */
async function realFolder(root: string, segments: readonly string[]): Promise<string> {
  let folder = await realpath(root);
  for (const segment of segments) {
    folder = join(folder, segment);
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!(await lstat(folder)).isDirectory()) throw new LinkInTheWay('a link or a file is in the place of a folder');
  }
  return folder;
}

async function isSame(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([lstat(a), lstat(b)]);
  if (!right.isFile() || left.size !== right.size) return false;
  const [x, y] = await Promise.all([hashOf(a), hashOf(b)]);
  return x === y;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
