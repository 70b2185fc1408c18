import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NumberedFiles, ResultCounters } from './name-counters.js';

/** The numbers in result file names, found as the engine does: one more than the highest that lies in the folder. */
export class FolderCounters implements ResultCounters {
  constructor(private readonly output: string) {}

  async take({ subfolder, base }: NumberedFiles): Promise<number> {
    const names = await readdir(join(this.output, subfolder)).catch(() => []);
    let highest = 0;
    for (const name of names) {
      // The number is what stands between the base name's underscore and the next one or the first dot.
      if (!name.startsWith(`${base}_`)) continue;
      const digits = /^\s*\+?(\d+)\s*$/.exec(name.slice(base.length + 1).split(/[._]/, 1)[0] ?? '')?.[1];
      if (digits !== undefined) highest = Math.max(highest, Number(digits));
    }
    return highest + 1;
  }
}
