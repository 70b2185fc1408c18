import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServerError } from './embedded-server-error.js';

/** A folder of this user that the server's user may enter, for what cannot stay where Heddle was put. */
export function shelterFolder(): string {
  const uid = process.getuid?.();
  const candidates = [...(uid === 0 ? ['/var/lib/heddle'] : []), join(tmpdir(), `heddle-${uid ?? 'user'}`)];
  for (const folder of candidates) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      const stat = lstatSync(folder);
      // In a folder that everybody may write, somebody else could have been first.
      if (!stat.isDirectory() || (uid !== undefined && stat.uid !== uid)) continue;
      chmodSync(folder, 0o755);
      return folder;
    } catch {
      continue;
    }
  }
  throw new EmbeddedServerError(
    `No folder for the embedded PostgreSQL's files: neither ${candidates.join(' nor ')} can be used.`,
  );
}
