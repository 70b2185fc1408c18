import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EngineFolders } from '../process/run-details.js';
import type { SavedFile } from './node-class.js';

/** Writes the files of one run: results into the engine's folders, or outputs for the parent. */
export class ResultFiles {
  private count = 0;

  constructor(
    private readonly directory: string,
    private readonly folders: EngineFolders | null,
  ) {}

  /** Writes a result file at the engine's place. Replaces an existing file, like the real engine. */
  async writeResult(file: SavedFile, parts: readonly Uint8Array[]): Promise<void> {
    if (this.folders === null) throw new RangeError('this engine has no folders');
    const path = join(this.folders[file.folder], file.subfolder, file.name);
    await mkdir(dirname(path), { recursive: true });
    await write(path, 'w', 0o644, parts);
  }

  /** Writes an output that is too large for a message. Resolves with its path in the run's private folder. */
  async writePassing(parts: readonly Uint8Array[]): Promise<string> {
    // Created with the first file, because most runs need no folder.
    if (this.count === 0) await mkdir(this.directory, { recursive: true, mode: 0o700 });
    this.count += 1;
    const path = join(this.directory, `out-${this.count}`);
    await write(path, 'wx', 0o600, parts);
    return path;
  }
}

async function write(path: string, flags: string, mode: number, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    for (const part of parts) await file.writeFile(part);
  } finally {
    await file.close();
  }
}
