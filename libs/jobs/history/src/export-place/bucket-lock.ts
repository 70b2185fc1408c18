import { buffer } from 'node:stream/consumers';
import { BlobStoreRefusedError, ObjectChangedError } from '@heddle/platform-blob-store';
import type { S3Objects } from '@heddle/platform-blob-store';
import { busyError, hasEnded, LOCK_FILE, ownHolder } from './export-holder.js';
import type { ExportHolder } from './export-holder.js';

/** From its last renewal, by the clock of the store: a holder that died keeps others out for this long. */
const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 15_000;

/** Keeps two exports out of one place in a bucket: an object that only its holder can replace, and replaces again and again. */
export class BucketLock {
  readonly #timer: NodeJS.Timeout;
  #renewals = 0;
  /** One at a time: each needs the ETag of the one before. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly objects: S3Objects,
    private readonly place: string,
    private readonly own: ExportHolder,
    private etag: string,
  ) {
    this.#timer = setInterval(() => void this.renew().catch(() => undefined), RENEW_EVERY_MS);
  }

  /** @throws ExportError `export_busy` */
  static async take(objects: S3Objects, place: string): Promise<BucketLock> {
    const own = ownHolder();
    const etag = await put(objects, own, 0, await replaceable(objects, place, own)).catch(async (error: unknown) => {
      if (!(error instanceof ObjectChangedError)) throw error;
      throw busy(await holderOf(objects), place);
    });
    await assertConditional(objects, place, own);
    return new BucketLock(objects, place, own, etag);
  }

  /** Once it resolves, nobody else takes the place within a lease. @throws ExportError `export_busy` if somebody has */
  async renew(): Promise<void> {
    const renewal = this.#last.catch(() => undefined).then(() => this.#renew());
    this.#last = renewal;
    await renewal;
  }

  /** Never rejects: a lock that cannot be removed ends by itself. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.renew()
      .then(() => this.objects.remove(LOCK_FILE))
      .catch(() => undefined);
  }

  async #renew(): Promise<void> {
    this.#renewals += 1;
    try {
      this.etag = await put(this.objects, this.own, this.#renewals, this.etag);
    } catch (error) {
      if (!(error instanceof ObjectChangedError)) throw error;
      throw busy(await holderOf(this.objects).catch(() => null), this.place);
    }
  }
}

/** The ETag of a lock that is over; null: there is none. */
async function replaceable(objects: S3Objects, place: string, own: ExportHolder): Promise<string | null> {
  const found = await objects.read(LOCK_FILE);
  if (found === null) return null;
  const holder = parsed(await buffer(found.body));
  if (found.ageMs > LEASE_MS || (holder !== null && hasEnded(holder, own))) return found.etag;
  throw busy(holder, place);
}

/** A store that ignores conditions would let two exports overwrite each other. */
async function assertConditional(objects: S3Objects, place: string, own: ExportHolder): Promise<void> {
  try {
    await put(objects, own, -1, '"no such object"');
  } catch (error) {
    if (error instanceof ObjectChangedError) return;
    throw error;
  }
  await objects.remove(LOCK_FILE);
  throw new BlobStoreRefusedError(
    `the store of ${place} ignores If-Match, so that two exports could overwrite each other: export to a folder and copy it`,
  );
}

async function put(objects: S3Objects, own: ExportHolder, renewals: number, replaces: string | null): Promise<string> {
  return await objects.put(LOCK_FILE, Buffer.from(JSON.stringify({ ...own, renewals })), replaces);
}

async function holderOf(objects: S3Objects): Promise<ExportHolder | null> {
  const found = await objects.read(LOCK_FILE);
  return found === null ? null : parsed(await buffer(found.body));
}

function parsed(text: Buffer): ExportHolder | null {
  try {
    return JSON.parse(text.toString('utf8')) as ExportHolder;
  } catch {
    return null;
  }
}

function busy(holder: ExportHolder | null, place: string): Error {
  return busyError(holder, place, `wait until it ends; a lock ends ${LEASE_MS / 1_000} s after its last renewal`);
}
