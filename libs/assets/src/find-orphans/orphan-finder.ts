import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { AssetsMetrics } from '../assets-metrics.js';
import { AssetsSettings } from '../settings.js';
import { SingletonTask } from '../run-alone/singleton-task.js';
import { ServiceLease } from '../run-alone/service-lease.js';
import { Walk } from '../run-alone/walk.js';
import { REMOVE_ORPHANS, UNKNOWN_KEYS } from './find-orphans.sql.js';
import type { OrphanRow } from './find-orphans.sql.js';

const RECHECK_INTERVAL_MS = 60_000;
const BATCH = 500;

interface Orphans {
  readonly objects: number;
  readonly uploads: number;
}

/**
 * Compares the store with the database once a day. Leftovers of killed processes are found through their intents, so an
 * old object without a row points to another problem, such as a database restored to an earlier state. It is reported,
 * and removed only if a setting allows it. Unfinished uploads of that age are always ended.
 */
@Injectable()
export class OrphanFinder implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(OrphanFinder.name);
  readonly #lease: ServiceLease;
  readonly #walk: Walk;
  readonly #task: SingletonTask;

  constructor(
    private readonly database: AssetsDatabase,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: AssetsSettings,
    private readonly metrics: AssetsMetrics,
  ) {
    this.#lease = new ServiceLease(database, 'strays', settings.loneLeaseMs);
    this.#walk = new Walk(database, this.#lease);
    this.#task = new SingletonTask({
      lease: this.#lease,
      step: () => this.#step(),
      onError: (error) => this.#logger.error(error),
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.sweepIntervalMs > 0) this.#task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#task.stop();
  }

  async #step(): Promise<number> {
    const { rested } = await this.#walk.find();
    if (rested !== null && rested < this.settings.orphanPassMs) return RECHECK_INTERVAL_MS;
    await this.look();
    await this.#walk.end();
    return RECHECK_INTERVAL_MS;
  }

  async look(): Promise<Orphans> {
    const { orphanAgeMs, removeOrphans } = this.settings;
    const uploads = await this.store.abortOrphans(orphanAgeMs);
    let objects = 0;
    for await (const keys of this.#oldObjects(Date.now() - orphanAgeMs)) {
      const orphans = (await this.database.query<OrphanRow>(UNKNOWN_KEYS, [keys])).map((row) => row.key);
      if (orphans.length === 0) continue;
      objects += orphans.length;
      const message = `objects without a row in the database: ${removeOrphans ? 'removed' : 'kept'}`;
      this.#logger.warn({ message, count: orphans.length, first: orphans[0] });
      if (removeOrphans) await this.database.query(REMOVE_ORPHANS, [orphans]);
    }
    this.metrics.orphans(objects, uploads);
    return { objects, uploads };
  }

  async *#oldObjects(before: number): AsyncIterable<BlobKey[]> {
    let keys: BlobKey[] = [];
    for await (const object of this.store.list()) {
      if (object.modifiedAt.getTime() > before) continue;
      keys.push(object.key);
      if (keys.length < BATCH) continue;
      yield keys;
      keys = [];
      // Long listings keep their lease; a second process would only repeat the work.
      await this.#lease.claim();
    }
    if (keys.length > 0) yield keys;
  }
}
