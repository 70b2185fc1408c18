import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ServiceProcess } from './service-process.js';

const NOTE = 'admin.json';

/** A token for an admin API whose operator gave none. */
export function newAdminToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Leaves address and token of the admin API in the data folder, for the commands of the same user (accounts, Commands). */
export function noteAdminApi(folder: string, note: { readonly url: string; readonly token: string }): void {
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `${NOTE}.new`);
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, join(folder, NOTE));
}

export function deleteAdminNote(folder: string): void {
  rmSync(join(folder, NOTE), { force: true });
}

/** The token of the admin API of a process that is the only one with its data folder, which names it until the stop. */
export function notedAdminToken(service: ServiceProcess): string {
  const token = service.settings.adminToken ?? newAdminToken();
  const folder = resolve(service.settings.data);
  noteAdminApi(folder, { url: service.opsUrl!, token });
  service.onStop('note of the admin API', () => deleteAdminNote(folder));
  return token;
}
