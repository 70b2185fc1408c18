import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServerError } from './embedded-server-error.js';

/** A folder of this user that the server's user may enter, for files that cannot stay in Heddle's own folder. */
export function shelterFolder(): string {
  const uid = process.getuid?.();
  const candidates = [...(uid === 0 ? ['/var/lib/heddle'] : []), join(tmpdir(), `heddle-${uid ?? 'user'}`)];
  for (const folder of candidates) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      const stat = lstatSync(folder);
      // In a world-writable folder somebody else may have created it first.
      if (!stat.isDirectory() || (uid !== undefined && stat.uid !== uid)) continue;
      chmodSync(folder, 0o755);
      return folder;
    } catch {
      continue;
    }
  }
  throw new EmbeddedServerError(
    `No folder for the embedded PostgreSQL's files: none of ${candidates.join(', ')} can be used.`,
  );
}
