import { join, resolve } from 'node:path';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { openKeyFile, readKeyFile, SettingRefused } from '@heddle/platform-settings';
import type { FileKey } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';

const LENGTH = { min: 32, max: 32 };

interface SigningKeys {
  readonly file: string;
  readonly keys: readonly FileKey[];
}

/**
 * The keys that sign versions. `mayMake`: standalone, and the launcher for all replicas, create a missing file. A
 * replica of a cluster must be given it: keys of its own would sign what the keys of the others do not verify.
 *
 * @throws SettingRefused for a file that cannot be used
 */
export async function openSigningKeys(
  { registrySigningKeys: given, data }: Pick<Settings, 'registrySigningKeys' | 'data'>,
  mayMake: boolean,
): Promise<SigningKeys> {
  const file = given ?? (mayMake ? join(resolve(data), 'registry-keys') : null);
  if (file === null) {
    throw new SettingRefused(
      'HEDDLE_REGISTRY_SIGNING_KEYS is unset: name the file of the Ed25519 keys that all replicas of the registry sign with, one id:base64 a line',
    );
  }
  try {
    return { file, keys: await (given === null ? openKeyFile : readKeyFile)(file, LENGTH) };
  } catch (error) {
    const reason = errorMessage(error);
    throw new SettingRefused(
      `HEDDLE_REGISTRY_SIGNING_KEYS ${file} cannot be used: ${reason}; give all replicas of the registry the same file`,
    );
  }
}
