import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '@heddle/platform-database';
import { ExportError } from '../read-export/manifest.js';

const LOCK = '.export.lock';

/** Who holds a lock. The token identifies one of several exports of a process. */
interface Holder {
  readonly pid: number;
  /** Of the process, which a later one with its number does not have. */
  readonly identity: string;
  readonly host: string;
  readonly token: string;
}

/** Keeps two exports out of one folder. The lock of a process of this host that has ended is taken over. */
export async function withExportLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const path = join(folder, LOCK);
  const own: Holder = {
    pid: process.pid,
    identity: processIdentity(process.pid) ?? '',
    host: hostname(),
    token: randomUUID(),
  };
  await take(path, folder, own);
  try {
    return await work();
  } finally {
    if ((await holderOf(path))?.token === own.token) await rm(path, { force: true });
  }
}

async function take(path: string, folder: string, own: Holder): Promise<void> {
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
async function holderOf(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function hasEnded({ pid, identity, host }: Holder, own: Holder): boolean {
  return host === own.host && processIdentity(pid) !== identity;
}

function busy(path: string, folder: string, holder: Holder | null): ExportError {
  const who = holder === null ? '' : ` (process ${holder.pid} of ${holder.host})`;
  return new ExportError(
    'export_busy',
    `another export${who} writes to ${folder}: wait until it ends, or remove ${path} if it has ended`,
  );
}
