import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DataFolderRefusedError } from './data-folder.js';
import type { ServerFolder } from './server-folder.js';

const VERSION_FILE = 'PG_VERSION';

/**
 * Refuses the data of another major version of PostgreSQL, which this server cannot read. A new empty database beside
 * it would look as if every job were lost.
 */
export function assertServerVersion(folder: ServerFolder, majorVersion: string): void {
  const found = otherVersion(folder, majorVersion);
  if (found === null) return;
  const beside = found.path === folder.pgdata ? '' : ` in ${folder.pgdata}`;
  throw new DataFolderRefusedError(
    dirname(folder.control),
    `${found.path} has a database of PostgreSQL ${found.version}, and this build of Heddle runs PostgreSQL ${majorVersion}${beside}`,
    { next: 'Follow docs/how-to/upgrade.md, or choose another with HEDDLE_DATA' },
  );
}

function otherVersion(folder: ServerFolder, majorVersion: string): { path: string; version: string } | null {
  if (existsSync(folder.pgdata)) {
    const version = versionIn(folder.pgdata);
    return version === null || version === majorVersion ? null : { path: folder.pgdata, version };
  }
  for (const home of new Set([folder.home, folder.control])) {
    const version = readdirSync(home).find((name) => /^\d+$/.test(name) && name !== majorVersion);
    if (version !== undefined) return { path: join(home, version), version };
  }
  return null;
}

/** Null if the file is missing or cannot be read: then the server describes what is wrong. */
function versionIn(pgdata: string): string | null {
  try {
    return readFileSync(join(pgdata, VERSION_FILE), 'utf8').trim();
  } catch {
    return null;
  }
}
