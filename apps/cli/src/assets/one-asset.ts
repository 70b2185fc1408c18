import { MAX_EXPIRES_IN, MIN_EXPIRES_IN } from '@heddle/assets-domain';
import { isUuid } from '@heddle/contracts-messages';
import type { ApiClient } from '../api/api-client.js';
import { readAsset } from '../api/wire.js';
import type { WireAsset } from '../api/wire.js';
import type { Arguments } from '../command-line/command.js';
import { wholeNumber } from '../command-line/read-arguments.js';
import { failed, wrongUsage } from '../failure.js';
import type { StoreOptions } from './store-file.js';

export function assetId(word: string | undefined, command: string): string {
  if (word === undefined) throw wrongUsage(`${command} takes an asset`, `heddle ${command} --help`);
  const id = word.toLowerCase();
  if (!isUuid(id)) throw wrongUsage(`"${word}" is not an asset id`, 'heddle jobs show JOB lists the assets of a job');
  return id;
}

export async function fetchAsset(client: ApiClient, id: string): Promise<WireAsset> {
  const asset = readAsset((await client.json('GET', `/api/v2/assets/${id}`)).body);
  if (asset === null) throw failed('the service answered without an asset; check --url');
  return asset;
}

/** Options of a new asset, whatever the source of its bytes. */
export const PLACEMENT_OPTIONS = {
  as: { value: 'PATH', meaning: "placement path, e.g. portraits/anna.png (the file's name)" },
  tag: { value: 'TAG', meaning: 'category tag', multiple: true },
  expires: { value: 'SECONDS', meaning: `lifetime of the asset, ${MIN_EXPIRES_IN} to ${MAX_EXPIRES_IN}` },
} as const;

export function placement(options: Arguments): StoreOptions {
  const filePath = options.text('as');
  const expiresInSeconds = wholeNumber(options, 'expires', { min: MIN_EXPIRES_IN, max: MAX_EXPIRES_IN });
  return {
    tags: options.all('tag'),
    ...(filePath === null ? {} : { filePath }),
    ...(expiresInSeconds === null ? {} : { expiresInSeconds }),
  };
}
