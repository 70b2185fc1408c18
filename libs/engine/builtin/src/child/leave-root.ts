import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The user travels as an argument of the process: `uid,gid`, empty where it keeps the user that it was started with. */
export function userArgument(user: { readonly uid: number; readonly gid: number } | undefined): string {
  return user === undefined ? '' : `${user.uid},${user.gid}`;
}

/**
 * Gives up root for good, before the first run: the user's id and group, no other groups, and with them every capability.
 * What a run may load later is loaded before where the user cannot reach this code, as in a folder of root alone.
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
