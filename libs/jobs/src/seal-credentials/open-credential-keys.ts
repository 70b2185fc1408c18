import { join, resolve } from 'node:path';
import { SURFACES } from '@heddle/contracts-messages';
import type { Surface } from '@heddle/contracts-messages';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { SettingRefused } from '@heddle/platform-settings';
import { CredentialKeys } from './credential-keys.js';

interface KeySettings {
  readonly surface: Surface;
  /** The file that the operator gave; null: none. */
  readonly credentialKeys: string | null;
  /** The data folder, where standalone makes the file. */
  readonly data: string;
}

/**
 * The keys that seal partner credentials, in a process with the jobs service; null if its surface stores none.
 * `mayMake`: standalone makes a missing file itself; the replicas of a cluster must be given the same file.
 *
 * @throws SettingRefused for a file that cannot be used
 */
export async function openCredentialKeys(
  { surface, credentialKeys, data }: KeySettings,
  mayMake: boolean,
): Promise<CredentialKeys | null> {
  if (SURFACES[surface].partnerCredentials !== 'sealed') return null;
  const made = mayMake && credentialKeys === null ? join(resolve(data), 'credential-keys') : null;
  const file = credentialKeys ?? made;
  if (file === null) {
    throw new SettingRefused(
      'HEDDLE_CREDENTIAL_KEYS is unset: on managed all replicas of the jobs service need the file of the same keys',
    );
  }
  try {
    return await CredentialKeys.open(file, made !== null);
  } catch (error) {
    const reason = errorMessage(error);
    throw new SettingRefused(`HEDDLE_CREDENTIAL_KEYS ${file} cannot be used: ${reason}`);
  }
}
