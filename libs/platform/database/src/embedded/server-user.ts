import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { EmbeddedServerError } from './embedded-server-error.js';

/** The operating system user that runs the server if it must not be ours: PostgreSQL refuses root. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['postgres', 'nobody'];

/** Undefined if the server runs as this process's user. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of CANDIDATES) {
    const found = users.find((fields) => fields[0] === name);
    if (found) return { name, uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new EmbeddedServerError(
    `The embedded PostgreSQL must not run as root, and none of the users ${CANDIDATES.join(', ')} exists: ` +
      'add one, run Heddle as another user, or set HEDDLE_DATABASE_URL.',
  );
}

/** True if the user may enter the folder and all its parents; for a missing folder its parent decides. */
export function canEnter(folder: string, user: ServerUser | undefined): boolean {
  if (!user) return true;
  for (let path = resolve(folder); ; path = dirname(path)) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat) {
      const bit = stat.uid === user.uid ? 0o100 : stat.gid === user.gid ? 0o010 : 0o001;
      if ((stat.mode & bit) === 0) return false;
    }
    if (path === dirname(path)) return true;
  }
}
