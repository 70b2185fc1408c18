import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The user as a process argument: `uid,gid`, or empty to keep the user. */
export function userArgument(user: { readonly uid: number; readonly gid: number } | undefined): string {
  return user === undefined ? '' : `${user.uid},${user.gid}`;
}

/**
 * Drops root permanently before the first run: sets user and group, and drops other groups and all capabilities. If the user
 * cannot read this code, for example in root's folder, first loads the modules that a run may load later.
 */
export async function leaveRoot(argument: string | undefined): Promise<void> {
  if (argument === undefined || argument === '') return;
  const [uid, gid] = argument.split(',').map(Number);
  if (!uid || !gid) throw new Error(`this process cannot become user ${argument}: neither user nor group may be 0`);
  if (!isReachableBy(uid, gid)) await import('sharp');
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid || process.getgid?.() !== gid) {
    throw new Error(`this process could not become user ${uid}`);
  }
}

function isReachableBy(uid: number, gid: number): boolean {
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    closeSync(openSync(fileURLToPath(import.meta.url), 'r'));
    return true;
  } catch {
    return false;
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}
