import { readFile } from 'node:fs/promises';
import { SettingRefused } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';

/**
 * Ids in lower case that no publisher may take, from the file of HEDDLE_REGISTRY_RESERVED: one a line.
 *
 * @throws SettingRefused for a file that cannot be read
 */
export async function reservedNodes({
  registryReserved: file,
}: Pick<Settings, 'registryReserved'>): Promise<ReadonlySet<string>> {
  if (file === null) return new Set();
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new SettingRefused(`HEDDLE_REGISTRY_RESERVED ${file} cannot be read: ${error.message}`);
  });
  const lines = text.split('\n').map((line) => line.trim().toLowerCase());
  return new Set(lines.filter((line) => line !== ''));
}
