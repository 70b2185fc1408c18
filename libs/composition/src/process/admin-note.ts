import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
