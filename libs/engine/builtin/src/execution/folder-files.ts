import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { EngineFolders } from '../process/run-details.js';
import type { FileSource, FoundFile } from './run-files.js';

const KINDS = ['input', 'output', 'temp'] as const;

/** Files of the engine's folders. Files outside of them are not found, also through links. */
export class FolderFiles implements FileSource {
  constructor(private readonly folders: EngineFolders) {}

  async find(given: string): Promise<FoundFile | null> {
    const kind = KINDS.find((name) => given.endsWith(`[${name}]`));
    // The real engine also cuts the character before the mark.
    const name = kind === undefined ? given : given.slice(0, -(kind.length + 3));
    if (name === '' || name.includes('\0')) return null;
    const folder = await realpath(this.folders[kind ?? 'input']).catch(() => null);
    if (folder === null) return null;
    const path = await realpath(resolve(folder, name)).catch(() => null);
    if (path === null || !path.startsWith(folder + sep)) return null;
    const facts = await stat(path).catch(() => null);
    if (facts?.isFile() !== true) return null;
    return { contentKey: [path, facts.size, facts.mtimeMs, facts.ino].join('\0'), path: async () => path };
  }
}
