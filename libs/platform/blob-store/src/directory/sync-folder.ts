import { open } from 'node:fs/promises';

/** Makes the names in a folder durable: fsync of a file does not cover its directory entry. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
