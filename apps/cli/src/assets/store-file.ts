import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mediaTypeOf, UNKNOWN_MEDIA_TYPE } from '@heddle/platform-http/media-type';
import { ApiError, isCut } from '../api/api-error.js';
import type { ApiAnswer, ApiClient } from '../api/api-client.js';
import { hashFile } from '../api/file-hash.js';
import { multipart } from '../api/multipart.js';
import { readAsset } from '../api/wire.js';
import type { WireAsset } from '../api/wire.js';
import { failed, wrongUsage } from '../failure.js';
import { unreadableText } from '../file-error.js';

export interface StoreOptions {
  /** Placement path; default: the file's own name. */
  readonly filePath?: string;
  readonly tags?: readonly string[];
  readonly expiresInSeconds?: number;
  /** Bytes sent so far, and in total. */
  readonly onProgress?: (sent: number, total: number) => void;
}

interface StoredFile {
  readonly asset: WireAsset;
  /** false: the service already had the bytes, none were sent. */
  readonly sent: boolean;
}

const UPLOAD_TIMEOUT_MS = 600_000;
const ATTEMPTS = 3;

/** Makes an asset of a local file: by its hash if the service has the bytes, otherwise by an upload. */
export async function storeFile(client: ApiClient, path: string, options: StoreOptions = {}): Promise<StoredFile> {
  await assertFile(path);
  const { hash, sizeBytes } = await hashFile(path);
  const filePath = (options.filePath ?? basename(path)).normalize('NFC');
  const minted = await mintFromHash(client, hash, filePath, options);
  if (minted !== null) return { asset: minted, sent: false };
  for (let attempt = 1; ; attempt++) {
    try {
      return { asset: await upload(client, path, { ...options, filePath, hash, sizeBytes }), sent: true };
    } catch (error) {
      if (!isCut(error) || attempt === ATTEMPTS) throw error;
      await delay(500 * attempt);
      // The bytes may have arrived although the answer did not.
      const found = await mintFromHash(client, hash, filePath, options).catch(() => null);
      if (found !== null) return { asset: found, sent: true };
    }
  }
}

/** An asset over bytes that the caller may already use, or null (api-v2, POST /api/v2/assets/from-hash). */
async function mintFromHash(
  client: ApiClient,
  hash: string,
  filePath: string,
  options: StoreOptions,
): Promise<WireAsset | null> {
  try {
    await client.json('HEAD', `/api/v2/assets/by-hash/${hash}`);
    return await mintAsset(client, hash, { ...options, filePath });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

export async function mintAsset(client: ApiClient, hash: string, options: StoreOptions): Promise<WireAsset> {
  const body = {
    hash,
    ...(options.filePath === undefined ? {} : { file_path: options.filePath }),
    ...(options.tags === undefined || options.tags.length === 0 ? {} : { tags: options.tags }),
    ...(options.expiresInSeconds === undefined ? {} : { expires_in: options.expiresInSeconds }),
  };
  const headers = { 'content-type': 'application/json' };
  return assetOf(await client.json('POST', '/api/v2/assets/from-hash', { headers, body: JSON.stringify(body) }));
}

interface Upload extends StoreOptions {
  readonly filePath: string;
  readonly hash: string;
  readonly sizeBytes: number;
}

async function upload(client: ApiClient, path: string, options: Upload): Promise<WireAsset> {
  const contentType = mediaTypeOf(path) ?? UNKNOWN_MEDIA_TYPE;
  const fields = [
    ['content_type', contentType],
    ['file_path', options.filePath],
    ['expected_hash', options.hash],
    ...(options.tags ?? []).map((tag) => ['tags', tag] as const),
    ...(options.expiresInSeconds === undefined ? [] : [['expires_in', String(options.expiresInSeconds)] as const]),
  ] as const;
  const chunks = exactly(path, options.sizeBytes, options.onProgress);
  const form = multipart(fields, { name: options.filePath, contentType, sizeBytes: options.sizeBytes, chunks });
  const headers = {
    'content-type': form.contentType,
    'content-length': String(form.contentLength),
    'idempotency-key': randomUUID(),
  };
  return assetOf(
    await client.json('POST', '/api/v2/assets', { headers, body: form.body, headersTimeoutMs: UPLOAD_TIMEOUT_MS }),
  );
}

/** Streams exactly the hashed number of bytes: a file that changed meanwhile ends the upload. */
async function* exactly(
  path: string,
  sizeBytes: number,
  onProgress: StoreOptions['onProgress'],
): AsyncIterable<Uint8Array> {
  let sent = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    sent += chunk.length;
    if (sent > sizeBytes) break;
    yield chunk;
    onProgress?.(sent, sizeBytes);
  }
  if (sent !== sizeBytes) throw failed(`${path} changed while it was sent`, 'try again when nothing writes to it');
}

function assetOf(answer: ApiAnswer): WireAsset {
  const asset = readAsset(answer.body);
  if (asset === null) throw failed('the service answered without an asset; check --url');
  return asset;
}

/** Wrong usage if the file cannot be read. */
export async function assertFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw wrongUsage(unreadableText(path, error));
  });
  if (found.isDirectory()) throw wrongUsage(`${path} is a folder, not a file`);
  if (!found.isFile()) throw wrongUsage(`${path} is not a file`);
  await access(path, constants.R_OK).catch((error: unknown) => {
    throw wrongUsage(unreadableText(path, error));
  });
}
