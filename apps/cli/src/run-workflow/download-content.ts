import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Blake3Hasher } from '@napi-rs/blake-hash';
import { hashFile } from '../api/file-hash.js';
import type { ApiClient } from '../api/api-client.js';
import { CliFailure, EXIT, failed } from '../failure.js';
import { fileFailure } from '../file-error.js';
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
  target: { path: string; overwrite: boolean },
): Promise<Download> {
  const part = join(dirname(target.path), `.heddle-${randomUUID()}.part`);
  try {
    await makeFolder(dirname(target.path));
    const received = await receive(client, content, part);
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
    // Its path is that of the part file, which the user does not know.
    throw fileFailure(error, `${target.path} cannot be written`) ?? error;
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Continues where a broken connection stopped. */
async function receive(
  client: ApiClient,
  content: DownloadContent,
  part: string,
): Promise<{ sizeBytes: number; hash: string }> {
  const file = await open(part, 'wx');
  const hasher = new Blake3Hasher();
  const progress = { written: 0 };
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await readInto(client, content, { file, hasher, progress });
        return { sizeBytes: progress.written, hash: `blake3:${hasher.digest('hex')}` };
      } catch (error) {
        const known = client.explain(error);
        const cut = known instanceof CliFailure && known.exitCode === EXIT.unreachable;
        if (!cut || attempt === ATTEMPTS) throw known;
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
}

async function readInto(
  client: ApiClient,
  content: DownloadContent,
  { file, hasher, progress }: Receiver,
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
    await file.write(fresh);
    hasher.update(fresh);
    progress.written += fresh.length;
  }
}

async function place(
  part: string,
  hash: string,
  { path, overwrite }: { path: string; overwrite: boolean },
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
