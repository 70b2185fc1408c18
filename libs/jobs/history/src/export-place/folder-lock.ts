import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { busyError, hasEnded, LOCK_FILE, ownHolder } from './export-holder.js';
import type { ExportHolder } from './export-holder.js';
import type { ExportError } from './manifest.js';

/** Keeps two exports out of one folder. The lock of a process of this host that has ended is taken over. */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const path = join(folder, LOCK_FILE);
  const own = ownHolder();
  await take(path, folder, own);
  try {
    return await work();
  } finally {
    if ((await holderOf(path))?.token === own.token) await rm(path, { force: true });
  }
}

async function take(path: string, folder: string, own: ExportHolder): Promise<void> {
  const written = `${path}.${own.token}`;
  await writeFile(written, JSON.stringify(own), { flag: 'wx' });
  try {
    if (await linked(written, path)) return;
    const holder = await holderOf(path);
    if (holder === null || !hasEnded(holder, own)) throw busy(path, folder, holder);
    // One taker alone gets the dead lock out of the way.
    const dead = `${path}.${holder.token}.dead`;
    await rename(path, dead).catch(() => undefined);
    const moved = await holderOf(dead);
    if (moved?.token !== holder.token || !(await linked(written, path))) throw busy(path, folder, await holderOf(path));
    await rm(dead, { force: true });
  } finally {
    await rm(written, { force: true });
  }
}

/** False: the path is there already. The lock appears with its text. */
async function linked(written: string, path: string): Promise<boolean> {
  try {
    await link(written, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null: there is none, or it cannot be read. */
async function holderOf(path: string): Promise<ExportHolder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ExportHolder;
  } catch {
    return null;
  }
}

function busy(path: string, folder: string, holder: ExportHolder | null): ExportError {
  return busyError(holder, folder, `wait until it ends, or remove ${path} if it has ended`);
}
