import { filePathProblem, isBlobHash, MAX_EXPIRES_IN, MIN_EXPIRES_IN, tagsProblem } from '@heddle/assets-domain';
import { isUuid } from '@heddle/contracts-messages';
import type { ApiClient } from '../api/api-client.js';
import { orNamed } from '../api/api-error.js';
import { readAsset } from '../api/wire.js';
import type { WireAsset } from '../api/wire.js';
import type { Arguments } from '../command-line/command.js';
import { isPartialId } from '../command-line/partial-id.js';
import { wholeNumber } from '../command-line/read-arguments.js';
import { failed, wrongUsage } from '../failure.js';
import type { StoreOptions } from './store-file.js';

const AS_STEP = 'for example --as portraits/anna.png';

/** The only argument of a command. */
export function oneAsset(words: readonly string[], command: string): string {
  const [word, ...rest] = words;
  if (word === undefined || rest.length > 0) throw wrongUsage(`${command} takes one asset`, `heddle ${command} ASSET`);
  return assetId(word);
}

export function assetId(word: string): string {
  const id = word.toLowerCase();
  if (isUuid(id)) return id;
  if (isPartialId(id)) throw wrongUsage(`"${word}" is a part of an asset id; the whole id is needed`, ASSETS_STEP);
  throw wrongUsage(`"${word}" is not an asset id`, ASSETS_STEP);
}

export function assertHash(word: string): void {
  if (isBlobHash(word)) return;
  throw wrongUsage(
    `"${word}" is not a hash: a hash is blake3: and 64 lower-case hex digits`,
    'heddle assets show ASSET prints one',
  );
}

export async function fetchAsset(client: ApiClient, id: string, absent = noAsset(id)): Promise<WireAsset> {
  const answer = await orNamed(client.json('GET', `/api/v2/assets/${id}`), absent, ASSETS_STEP);
  const asset = readAsset(answer.body);
  if (asset === null) throw failed('the service answered without an asset; check --url');
  return asset;
}

export async function deleteAsset(client: ApiClient, id: string): Promise<void> {
  await orNamed(client.json('DELETE', `/api/v2/assets/${id}`), noAsset(id), ASSETS_STEP);
}

const ASSETS_STEP = 'heddle jobs show JOB lists the assets of a job';

function noAsset(id: string): string {
  return `no asset ${id} here`;
}

/** Options of a new asset, whatever the source of its bytes. */
export const PLACEMENT_OPTIONS = {
  as: { value: 'PATH', meaning: "placement path, e.g. portraits/anna.png (the file's name)" },
  tag: { value: 'TAG', meaning: 'category tag', multiple: true },
  expires: { value: 'SECONDS', meaning: `lifetime of the asset, ${MIN_EXPIRES_IN} to ${MAX_EXPIRES_IN}` },
} as const;

export function placement(options: Arguments): StoreOptions {
  const filePath = options.text('as')?.normalize('NFC') ?? null;
  const problem = filePath === null ? null : filePathProblem(filePath);
  if (problem !== null) throw wrongUsage(`--as "${filePath}": the placement path ${problem}`, AS_STEP);
  const tags = options.all('tag');
  for (const tag of tags) {
    const fault = tagsProblem([tag]);
    if (fault !== null) throw wrongUsage(`--tag "${tag}": tags ${fault}`);
  }
  const many = tagsProblem(tags);
  if (many !== null) throw wrongUsage(`--tag is given ${tags.length} times: there ${many}`);
  const expiresInSeconds = wholeNumber(options, 'expires', { min: MIN_EXPIRES_IN, max: MAX_EXPIRES_IN });
  return {
    tags,
    ...(filePath === null ? {} : { filePath }),
    ...(expiresInSeconds === null ? {} : { expiresInSeconds }),
  };
}
