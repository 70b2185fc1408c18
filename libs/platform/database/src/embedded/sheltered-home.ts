import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { livePostmaster } from './postmaster.js';
import { shelterFolder } from './shelter-folder.js';

const ORIGIN = 'ORIGIN';
const SWEPT_AT_ONCE = 20;

/** The server's folder for a control folder that its user cannot enter; always the same one. */
export function shelteredHome(control: string): string {
  const shelter = shelterFolder();
  sweep(shelter);
  const home = homeOf(shelter, control);
  mkdirSync(home, { recursive: true, mode: 0o711 });
  writeFileSync(join(home, ORIGIN), control);
  return home;
}

/** Permanently removes the files of a stopped embedded server, wherever they are: for disposable data directories. */
export function removeEmbeddedData(dataDir: string): void {
  const control = join(resolve(dataDir), 'postgres');
  if (existsSync(join(control, 'LOCATION'))) rmSync(homeOf(shelterFolder(), control), { recursive: true, force: true });
  rmSync(control, { recursive: true, force: true });
}

function homeOf(shelter: string, control: string): string {
  return join(shelter, `data-${createHash('sha256').update(control).digest('hex').slice(0, 16)}`);
}

/**
 * Removes leftovers of disposable data directories, but only of those in the system's temporary folder: elsewhere a
 * missing folder may be an unmounted disk.
 */
function sweep(shelter: string): void {
  let left = SWEPT_AT_ONCE;
  for (const name of readdirSync(shelter)) {
    const home = join(shelter, name);
    const note = join(home, ORIGIN);
    if (!name.startsWith('data-') || !existsSync(note)) continue;
    const origin = readFileSync(note, 'utf8');
    if (!origin.startsWith(tmpdir() + sep) || existsSync(origin)) continue;
    if (readdirSync(home).some((folder) => livePostmaster(join(home, folder)))) continue;
    rmSync(home, { recursive: true, force: true, maxRetries: 1 });
    if (--left === 0) return;
  }
}
