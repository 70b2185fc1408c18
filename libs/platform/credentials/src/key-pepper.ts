import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { SettingRefused } from '@heddle/platform-settings';
import { Secret } from '@heddle/contracts-messages';

const PEPPER_BYTES = 32;
const MIN_CHARACTERS = 32;
const MAX_CHARACTERS = 4_096;

/**
 * Reads the pepper of a file. `mayMake`: standalone makes a missing file itself; a cluster must be given one file for all
 * gateways, because a key that was made under another pepper is not known.
 *
 * @throws SettingRefused for a file that cannot be used
 */
export function readPepper(path: string, mayMake: boolean): Secret {
  if (mayMake) makeFile(path);
  const pepper = readPepperFile(path).trim();
  if (pepper.length < MIN_CHARACTERS || pepper.length > MAX_CHARACTERS) {
    throw new SettingRefused(
      `HEDDLE_KEY_PEPPER ${path} must hold ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters: openssl rand -base64 32 makes them`,
    );
  }
  return new Secret(pepper);
}

function readPepperFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new SettingRefused(`HEDDLE_KEY_PEPPER ${path} cannot be read: ${code}`, { cause: error });
  }
}

/** An existing file stays as it is, also if two processes start at once. */
function makeFile(path: string): void {
  try {
    writeFileSync(path, `${randomBytes(PEPPER_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    if (code !== 'EEXIST') {
      throw new SettingRefused(`HEDDLE_KEY_PEPPER ${path} cannot be made: ${code}`, { cause: error });
    }
  }
}
