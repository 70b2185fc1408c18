import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DataFolderRefusedError, makeDataFolder } from './data-folder.js';
import { canEnter, type ServerUser } from './server-user.js';
import { shelteredHome } from './sheltered-home.js';

/**
 * Where an embedded server keeps its files. `control` is Heddle's alone (password, port, lock); the server uses `home`
 * too.
 */
export interface ServerFolder {
  readonly control: string;
  readonly home: string;
  readonly pgdata: string;
  readonly log: string;
  /** Set if `home` had to be moved elsewhere; a sentence for the operator. */
  readonly relocated: string | undefined;
}

export function prepareServerFolder(dataDir: string, majorVersion: string, user: ServerUser | undefined): ServerFolder {
  makeDataFolder(resolve(dataDir));
  const control = join(resolve(dataDir), 'postgres');
  makeDataFolder(control);
  let home = control;
  let relocated: string | undefined;
  if (user) {
    chmodSync(control, 0o711);
    if (!canEnter(control, user)) {
      home = shelteredHome(control);
      relocated = `PostgreSQL's files are in ${home}: its user ${user.name} cannot enter ${control}.`;
      writeFileSync(join(control, 'LOCATION'), `${relocated}\n`);
    }
  }
  return { control, home, pgdata: join(home, majorVersion), log: join(home, 'server.log'), relocated };
}

/** The owner's password of this server: random, created once, readable by this user only. */
export function ownerPassword(folder: ServerFolder): string {
  const file = join(folder.control, 'owner-password');
  if (!existsSync(file)) {
    if (existsSync(folder.pgdata)) {
      throw new DataFolderRefusedError(
        dirname(folder.control),
        `${file} is missing, but a database exists in ${folder.pgdata}; restore the file from a backup`,
      );
    }
    writeDurably(file, randomBytes(32).toString('base64url'), 0o600);
  }
  return readFileSync(file, 'utf8').trim();
}

export function keptPort(folder: ServerFolder): number | undefined {
  const file = join(folder.control, 'port');
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN;
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

export function keepPort(folder: ServerFolder, port: number): void {
  writeDurably(join(folder.control, 'port'), `${port}\n`, 0o600);
}

/** Creates an empty folder owned by the server's user. */
export function makeOwnedFolder(path: string, user: ServerUser | undefined): void {
  mkdirSync(path, { mode: 0o700 });
  if (user) chownSync(path, user.uid, user.gid);
}

function writeDurably(file: string, text: string, mode: number): void {
  const draft = `${file}.${process.pid}`;
  const fd = openSync(draft, 'w', mode);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, file);
}
