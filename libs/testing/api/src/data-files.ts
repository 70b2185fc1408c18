import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface DataFile {
  readonly path: string;
  readonly size: number;
}

/** Marker files of the embedded database server's folders. */
const OF_THE_DATABASE = new Set(['PG_VERSION', 'owner-password']);

/** Every file below the folder, except those of the embedded database server. */
export async function dataFiles(folder: string): Promise<DataFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => OF_THE_DATABASE.has(entry.name))) return [];
  const found: DataFile[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await dataFiles(path)));
    else if (entry.isFile()) {
      const { size } = await stat(path).catch(() => ({ size: -1 }));
      if (size >= 0) found.push({ path, size });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
