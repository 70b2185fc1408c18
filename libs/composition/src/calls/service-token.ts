import { readFileSync, statSync } from 'node:fs';
import { SettingRefused } from '../settings/setting-kinds.js';
import type { Settings } from '../settings/settings.js';

/** The token of this process as the settings give it; one in a file is read again when the file changes, so that it can be renewed. */
export function serviceTokenOf({ serviceToken, serviceTokenFile }: Settings): () => string {
  if (serviceTokenFile !== null) return fileToken(serviceTokenFile);
  if (serviceToken === null) {
    throw new SettingRefused(
      'HEDDLE_SERVICE_TOKEN and HEDDLE_SERVICE_TOKEN_FILE are unset: other services answer nobody they do not know (heddle service-token makes one)',
    );
  }
  return () => serviceToken;
}

const LOOK_EVERY_MS = 10_000;

function fileToken(file: string): () => string {
  let lookedAt = -Infinity;
  let changedAt = -1;
  let token = '';
  return () => {
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return token;
    lookedAt = performance.now();
    try {
      const { mtimeMs } = statSync(file);
      if (mtimeMs !== changedAt) token = readFileSync(file, 'utf8').trim();
      changedAt = mtimeMs;
    } catch (error) {
      // A file that is being replaced is there again at the next look; the token that was read last is still good.
      if (token === '') {
        throw new SettingRefused(
          `HEDDLE_SERVICE_TOKEN_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`,
        );
      }
    }
    return token;
  };
}
