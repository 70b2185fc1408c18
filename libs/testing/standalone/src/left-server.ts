import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InstanceLock, PostgresServer } from '@heddle/platform-database';

/**
 * The embedded database server of a data directory, which needs no running Heddle; undefined before the first start.
 */
export function serverOf(dataDir: string): PostgresServer | undefined {
  return existsSync(join(dataDir, 'postgres')) ? new PostgresServer({ dataDir }) : undefined;
}

/** Stops a server left by a killed Heddle; one used by a live Heddle keeps running. */
export async function stopLeftServer(dataDir: string): Promise<void> {
  const server = serverOf(dataDir);
  if (server === undefined || new InstanceLock(server.folder.control, dataDir).holder() !== undefined) return;
  await server.stop();
}

/** Removes the whole data directory, including files in a folder that the server's user can enter. */
export async function removeDataDirectory(dataDir: string): Promise<void> {
  const folder = serverOf(dataDir)?.folder;
  if (folder?.relocated !== undefined) await rm(folder.home, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
