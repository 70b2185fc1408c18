import { basename } from 'node:path';
import type { JsonObject } from '@heddle/workflow-graph';
import type { ApiClient } from '../api/api-client.js';
import type { WireAsset } from '../api/wire.js';
import { assetId, fetchAsset } from '../assets/one-asset.js';
import { assertFile, storeFile } from '../assets/store-file.js';
import { wrongUsage } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { percentText, progressBar } from '../terminal/progress-bar.js';
import { byteText } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';
import { fit } from '../terminal/text-width.js';
import { inputTarget } from './graph-file.js';
import type { InputValue } from './graph-file.js';

/** Prefix of an id, for an input that uses an existing asset. */
const ASSET_PREFIX = 'asset:';

interface ResolveContext {
  readonly client: ApiClient;
  readonly terminal: Terminal;
  readonly graph: JsonObject;
}

/** Checks that files can be read and that `asset:` is followed by an id, without the graph. */
export async function assertInputs(given: readonly (readonly [string, string])[]): Promise<void> {
  for (const [target, file] of given) {
    if (file === '') throw wrongUsage(`--input ${target} has no value`, `for example --input ${target}=photo.png`);
    if (file.startsWith(ASSET_PREFIX)) assetId(file.slice(ASSET_PREFIX.length));
    else await assertFile(file);
  }
}

/** `--input NODE.INPUT=FILE`: makes an asset of each file and returns the references for the graph. */
export async function resolveFiles(
  given: readonly (readonly [string, string])[],
  context: ResolveContext,
): Promise<InputValue[]> {
  const targets = given.map(([target, file]) => ({ ...inputTarget(context.graph, target), file }));
  const assets = new Map<string, WireAsset>();
  const values: InputValue[] = [];
  for (const { nodeId, input, file } of targets) {
    const asset = assets.get(file) ?? (await assetFor(file, `${nodeId}.${input}`, context));
    assets.set(file, asset);
    values.push({ nodeId, input, json: reference(asset) });
  }
  return values;
}

/** `--set NODE.INPUT=VALUE`: parsed as JSON if possible, otherwise a string. */
export function plainValues(given: readonly (readonly [string, string])[], graph: JsonObject): InputValue[] {
  return given.map(([target, value]) => ({
    ...inputTarget(graph, target),
    json: isJson(value) ? value : JSON.stringify(value),
  }));
}

/** How a graph refers to an asset; the id decides, the rest is for readers (api-v2, POST /api/v2/jobs 1). */
export function reference(asset: Pick<WireAsset, 'id' | 'hash' | 'filePath'>): string {
  const info = {
    id: asset.id,
    ...(asset.hash === null ? {} : { hash: asset.hash }),
    ...(asset.filePath === null ? {} : { file_path: asset.filePath }),
  };
  return JSON.stringify({ __type: 'core/ASSET', info });
}

async function assetFor(file: string, target: string, { client, terminal }: ResolveContext): Promise<WireAsset> {
  if (file.startsWith(ASSET_PREFIX)) {
    const id = assetId(file.slice(ASSET_PREFIX.length));
    return await fetchAsset(client, id, `--input ${target}: no asset ${id}`);
  }
  const name = plainText(basename(file));
  const { asset, sent } = await storeFile(client, file, {
    onProgress: (bytes, total) =>
      terminal.draw([`${fit(`upload ${name}`, 24)} ${progressBar(bytes / total, 24)} ${percentText(bytes / total)}`]),
  });
  terminal.printJson({ event: 'input', file, asset: asset.body, sent });
  const size = asset.sizeBytes === null ? '' : `, ${byteText(asset.sizeBytes)}`;
  if (!terminal.json) terminal.say(`input ${name}: ${sent ? 'uploaded' : 'held already'}${size}`);
  return asset;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
