import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** One disk write of an upload, of which each waits with at most two. */
const WRITE_BYTES = 256 * 1024;

/** More bytes came than an archive may have. */
export class TooManyBytesError extends Error {}

/** The connection ended before the whole body came. */
export class BodyCutError extends Error {}

/** An upload in a temporary file, which its receiver removes. */
export interface ReceivedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** The body came slower than HEDDLE_SLOW_BODY_BYTES_PER_S. */
export class SlowBodyError extends Error {}

interface ReceiveLimits {
  readonly uploadFolder: string;
  readonly archiveBytes: number;
  /** Over `slowBodyMs`. */
  readonly slowBodyBytesPerSecond: number;
  readonly slowBodyMs: number;
}

/**
 * Streams a body into a file of a folder. A failure leaves no file, and the body unread: a request that is destroyed
 * could not be answered.
 */
export async function receiveFile(body: Readable, limits: ReceiveLimits): Promise<ReceivedFile> {
  const { uploadFolder, archiveBytes, slowBodyBytesPerSecond, slowBodyMs } = limits;
  await mkdir(uploadFolder, { recursive: true, mode: 0o700 });
  const path = join(uploadFolder, `${randomUUID()}.upload`);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let before = 0;
  const measured = new Transform({
    transform: (chunk: Buffer, _, done) => {
      sizeBytes += chunk.length;
      hash.update(chunk);
      done(sizeBytes > archiveBytes ? new TooManyBytesError() : null, chunk);
    },
  });
  const timer = setInterval(() => {
    if (sizeBytes - before < (slowBodyBytesPerSecond * slowBodyMs) / 1_000) measured.destroy(new SlowBodyError());
    before = sizeBytes;
  }, slowBodyMs);
  const cut = (): void => void measured.destroy(new BodyCutError());
  body.once('error', cut).once('close', () => (body.readableEnded ? undefined : cut()));
  try {
    body.pipe(measured);
    await pipeline(measured, createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: WRITE_BYTES }));
    return { path, sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    body.unpipe(measured);
    clearInterval(timer);
  }
}
