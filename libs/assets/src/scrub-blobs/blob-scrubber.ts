import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { AssetsMetrics } from '../assets-metrics.js';
import { AssetsSettings } from '../settings.js';
import { SingletonTask } from '../run-alone/singleton-task.js';
import { ServiceLease } from '../run-alone/service-lease.js';
import { Walk } from '../run-alone/walk.js';
import { examineBlob } from './examine-blob.js';
import type { Finding } from './examine-blob.js';
import { COUNT_DAMAGED, MARK_DAMAGED, MARK_SOUND, NEXT_BLOB } from './scrub-blobs.sql.js';
import type { ScrubbedBlobRow } from './scrub-blobs.sql.js';
import { ByteThrottle } from './throttle.js';

const RECHECK_INTERVAL_MS = 60_000;
/** Cost of a blob beside its bytes: a million small ones must not be read in a burst either. */
const BLOB_COST_BYTES = 64 * 1024;

/**
 * Reads all blobs again, slowly and repeatedly, and marks those whose bytes do not match their hash: nobody mints from
 * them until the same bytes are uploaded again, or the store returns the right ones. One process does it at a time, and
 * another continues after the last checked blob.
 */
@Injectable()
export class BlobScrubber implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(BlobScrubber.name);
  readonly #lease: ServiceLease;
  readonly #walk: Walk;
  readonly #throttle: ByteThrottle;
  readonly #task: SingletonTask;

  constructor(
    private readonly database: AssetsDatabase,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: AssetsSettings,
    private readonly metrics: AssetsMetrics,
  ) {
    this.#lease = new ServiceLease(database, 'scrub', settings.loneLeaseMs);
    this.#walk = new Walk(database, this.#lease);
    this.#throttle = new ByteThrottle(settings.scrubBytesPerSecond);
    this.#task = new SingletonTask({
      lease: this.#lease,
      step: (signal) => this.step(signal),
      onError: (error) => this.#logger.error(error),
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.scrubBytesPerSecond > 0 && this.settings.sweepIntervalMs > 0) this.#task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#task.stop();
  }

  /** Takes the lease itself if a test calls it. Returns the milliseconds until there is more to do. */
  async step(signal: AbortSignal): Promise<number> {
    if (!(await this.#lease.claim())) return this.settings.loneLeaseMs;
    const { position, rested } = await this.#walk.find();
    if (rested !== null && rested < this.settings.scrubPassMs) return RECHECK_INTERVAL_MS;
    const [blob] = await this.database.query<ScrubbedBlobRow>(NEXT_BLOB, [position]);
    if (blob === undefined) {
      await this.#endPass();
      return RECHECK_INTERVAL_MS;
    }
    await this.#note(blob, await this.#examine(blob, signal));
    await this.#walk.moveTo(blob.object_key);
    return 0;
  }

  /** A suspicious blob is read a second time: a bad connection is not damage. */
  async #examine(blob: ScrubbedBlobRow, signal: AbortSignal): Promise<Finding> {
    const beforePiece = async (bytes: number): Promise<void> => {
      await this.#throttle.pay(bytes, signal);
      if (!(await this.#lease.claim())) throw new Error('the scrubber lost its lease while reading a blob');
      this.metrics.scrubbed(bytes);
    };
    await this.#throttle.pay(BLOB_COST_BYTES, signal);
    const finding = await examineBlob(this.store, blob, beforePiece);
    if (finding === 'sound') return finding;
    // A missing bucket or volume is an outage; a blob can only be damaged in a store that works.
    await this.store.health();
    return examineBlob(this.store, blob, beforePiece);
  }

  async #note(blob: ScrubbedBlobRow, finding: Finding): Promise<void> {
    const { hash, object_key: key } = blob;
    if (finding === 'sound') {
      const healed = blob.damaged && (await this.database.query(MARK_SOUND, [hash, key])).length > 0;
      if (healed) this.#logger.log({ message: 'a damaged blob has its right bytes again', hash, key });
      return this.metrics.examined(healed ? 'healed' : 'sound');
    }
    if (!blob.damaged && (await this.database.query(MARK_DAMAGED, [hash, key])).length === 0) return;
    this.metrics.examined(finding);
    if (!blob.damaged) this.#logger.error({ message: `a stored blob is damaged: ${finding}`, hash, key });
  }

  async #endPass(): Promise<void> {
    await this.#walk.end();
    const [row] = await this.database.query<{ readonly damaged: number }>(COUNT_DAMAGED, []);
    this.metrics.damaged(row!.damaged);
  }
}
