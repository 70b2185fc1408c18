import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { missingCapabilities } from './capabilities.js';

/** The operating system's user that engine processes become where this process is root. */
export interface EngineUser {
  readonly uid: number;
  readonly gid: number;
}

/** No user can be had; the message says what to do. */
export class EngineUserError extends Error {}

const PREFERRED = 'heddle-engine';
/** What systemd gives to services that need a user and have none. */
const FREE_IDS = { first: 61_184, last: 65_519 };
/** Owners of the embedded database's files: an engine must not read them. */
const TAKEN = ['root', 'postgres', 'nobody'];

/** Undefined where this process is not root: its children have its own rights. `name` is the operator's choice, null where there is none. */
export function engineUser(name: string | null): EngineUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = name === null ? (preferredUser() ?? freeUser()) : chosenUser(name);
  const missing = missingCapabilities();
  if (missing.length > 0) {
    throw new EngineUserError(
      `Heddle runs as root without ${missing.join(', ')}, which it needs to run engine processes as user ${user.uid} and to end them: run Heddle as another user, or give it these capabilities`,
    );
  }
  const { error } = spawnSync('true', { uid: user.uid, gid: user.gid });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EPERM' || code === 'EINVAL') {
    throw new EngineUserError(
      `Heddle runs as root, and engine processes cannot become user ${user.uid} here (${code}): run Heddle as another user, or give it the capabilities CAP_SETUID and CAP_SETGID`,
    );
  }
  return user;
}

function chosenUser(name: string): EngineUser {
  const user = namedUser(name);
  if (user === null) throw new EngineUserError(`HEDDLE_ENGINE_USER: there is no user ${name} on this machine`);
  if (TAKEN.includes(name)) {
    throw new EngineUserError(
      `HEDDLE_ENGINE_USER: ${name} is root or may own the database's files; name a user that owns nothing, such as ${PREFERRED}`,
    );
  }
  return withoutRoot(name, user);
}

function preferredUser(): EngineUser | null {
  const user = namedUser(PREFERRED);
  return user === null ? null : withoutRoot(PREFERRED, user);
}

/** Refuses root and the users of root's group, whatever their name. */
export function withoutRoot(name: string, user: EngineUser): EngineUser {
  if (user.uid > 0 && user.gid > 0) return user;
  throw new EngineUserError(
    `HEDDLE_ENGINE_USER: ${name} has user id ${user.uid} and group id ${user.gid}, and an engine process must have neither of root (0): name another user, or give ${name} ids of its own`,
  );
}

function namedUser(name: string): EngineUser | null {
  const found = linesOf('/etc/passwd').find(([user]) => user === name);
  return found === undefined ? null : { uid: Number(found[2]), gid: Number(found[3]) };
}

/** An id that nobody has, user or group: what such a process can read is what everybody can read. */
function freeUser(): EngineUser {
  const used = new Set([...linesOf('/etc/passwd'), ...linesOf('/etc/group')].map((fields) => Number(fields[2])));
  for (let id = FREE_IDS.first; id <= FREE_IDS.last; id += 1) if (!used.has(id)) return { uid: id, gid: id };
  throw new EngineUserError(
    `Heddle runs as root, and every id from ${FREE_IDS.first} to ${FREE_IDS.last} is taken: add a user ${PREFERRED} for engine processes`,
  );
}

function linesOf(file: string): readonly (readonly string[])[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}

/** The program that starts another one which can never gain rights; null where the system has none. */
export function noNewPrivileges(): string | null {
  for (const folder of (process.env['PATH'] ?? '/usr/bin:/bin').split(delimiter)) {
    const path = join(folder, 'setpriv');
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
