import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Blake3Hasher } from '@napi-rs/blake-hash';
import { isCut } from '../api/api-error.js';
import { hashFile } from '../api/file-hash.js';
import type { ApiClient } from '../api/api-client.js';
import { failed } from '../failure.js';
import type { CliFailure } from '../failure.js';
import { fileFailure, isOfTheMachine } from '../file-error.js';
import { linkNew } from '../link-new.js';
import { makeFolder } from './output-folder.js';
import { numbered } from './safe-name.js';

interface DownloadContent {
  readonly id: string;
  readonly url: string | null;
  readonly sizeBytes: number | null;
  readonly hash: string | null;
}

export interface Download {
  readonly path: string;
  readonly sizeBytes: number;
  readonly hash: string;
  /** false: an identical file already existed. */
  readonly written: boolean;
}

interface DownloadTarget {
  readonly path: string;
  readonly overwrite: boolean;
  /** What to do when the machine has room again. */
  readonly whenFull?: string;
}

const MAKE_ROOM = 'make room and try again, or choose another place with --out';

const ATTEMPTS = 4;
/** Maximum of a download whose answer has no size. */
const MAX_BYTES = 64 * 1024 ** 3;
const MAX_NAMES = 1000;

/**
 * Downloads an asset into a folder and checks size and BLAKE3 before the file gets its name. An existing file is
 * replaced only with `overwrite`: identical bytes are kept, different ones get a numbered name.
 */
export async function downloadContent(
  client: ApiClient,
  content: DownloadContent,
  target: DownloadTarget,
): Promise<Download> {
  const part = join(dirname(target.path), `.heddle-${randomUUID()}.part`);
  try {
    await makeFolder(dirname(target.path));
    const received = await receive(client, content, part, target);
    if (content.sizeBytes !== null && received.sizeBytes !== content.sizeBytes)
      throw failed(
        `${content.id} has ${received.sizeBytes} bytes instead of ${content.sizeBytes}`,
        'try again; the transfer is not complete',
      );
    if (content.hash !== null && received.hash !== content.hash)
      throw failed(
        `${content.id} does not have the bytes of ${content.hash}`,
        'the content was damaged on its way or at rest; try again',
      );
    return { ...received, ...(await place(part, received.hash, target)) };
  } catch (error) {
    throw unwritten(error, target) ?? error;
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** A file error as a failure that names the file; null for other errors. */
function unwritten(error: unknown, { path, whenFull = MAKE_ROOM }: DownloadTarget): CliFailure | null {
  // The path of the error is that of the part file, which the user does not know.
  const failure = fileFailure(error, `${path} cannot be written`);
  return failure !== null && isOfTheMachine(error) ? failed(failure.message, whenFull) : failure;
}

/** Continues where a broken connection stopped. */
async function receive(
  client: ApiClient,
  content: DownloadContent,
  part: string,
  target: DownloadTarget,
): Promise<{ sizeBytes: number; hash: string }> {
  const file = await open(part, 'wx');
  const hasher = new Blake3Hasher();
  const progress = { written: 0 };
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await readInto(client, content, { file, hasher, progress, target });
        return { sizeBytes: progress.written, hash: `blake3:${hasher.digest('hex')}` };
      } catch (error) {
        const known = client.explain(error);
        if (!isCut(known) || attempt === ATTEMPTS) throw known;
        await delay(300 * attempt);
      }
    }
  } finally {
    await file.close();
  }
}

interface Receiver {
  readonly file: FileHandle;
  readonly hasher: Blake3Hasher;
  readonly progress: { written: number };
  readonly target: DownloadTarget;
}

async function readInto(
  client: ApiClient,
  content: DownloadContent,
  { file, hasher, progress, target }: Receiver,
): Promise<void> {
  if (content.sizeBytes !== null && progress.written === content.sizeBytes && progress.written > 0) return;
  const from = progress.written;
  const headers = { accept: '*/*', ...(from > 0 ? { range: `bytes=${from}-` } : {}) };
  const answer = await client.stream(content.url ?? `/api/v2/assets/${content.id}/content`, { headers });
  // A full answer to a range request starts at zero: skip what is already written.
  let skip = answer.statusCode === 206 ? 0 : from;
  const most = content.sizeBytes ?? MAX_BYTES;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    const fresh = chunk.subarray(Math.min(skip, chunk.length));
    skip -= chunk.length - fresh.length;
    if (progress.written + fresh.length > most)
      throw failed(`${content.id} has more bytes than the ${most} that were announced`);
    // `write` may write a part of it. Codes of file errors look like those of a lost connection, so they end here.
    await file.appendFile(fresh).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw unwritten(error, target) ?? failed(`${target.path} cannot be written: ${reason}`);
    });
    hasher.update(fresh);
    progress.written += fresh.length;
  }
}

async function place(
  part: string,
  hash: string,
  { path, overwrite }: DownloadTarget,
): Promise<{ path: string; written: boolean }> {
  if (overwrite) {
    await rename(part, path);
    return { path, written: true };
  }
  for (let count = 1; count <= MAX_NAMES; count++) {
    const candidate = join(dirname(path), numbered(basename(path), count));
    if (await linkNew(part, candidate)) return { path: candidate, written: true };
    const there = await stat(candidate).catch(() => null);
    if (there?.isFile() === true && (await hashFile(candidate)).hash === hash)
      return { path: candidate, written: false };
  }
  throw failed(
    `${path} and ${MAX_NAMES - 1} names like it are taken`,
    'choose another folder with --out, or --overwrite',
  );
}
