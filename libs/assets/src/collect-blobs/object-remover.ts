import { Inject, Injectable, Logger } from '@nestjs/common';
import { failpoint } from '@heddle/platform-database';
import { BLOB_STORE, BlobStoreUnavailableError } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';
import { END_DELETE_TASKS, RELEASE_ALL_TASKS, RELEASE_DELETE_TASKS, TAKE_DELETE_TASKS } from './collect-blobs.sql.js';
import type { DeleteTaskRow } from './collect-blobs.sql.js';

/** How long others leave taken tasks alone; deleting a key twice is harmless. */
const TAKEN_MS = 60_000;

interface Removal {
  readonly gone: readonly BlobKey[];
  readonly failed: readonly BlobKey[];
  /** The store is unreachable: the rest would fail as well. */
  readonly stopped: boolean;
}

/** Removes objects that nothing names any more. */
@Injectable()
export class ObjectRemover {
  readonly #logger = new Logger(ObjectRemover.name);

  constructor(
    private readonly database: AssetsDatabase,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: AssetsSettings,
  ) {}

  /** Number of removed objects. */
  async run(): Promise<number> {
    const { sweepBatch } = this.settings;
    const failed: BlobKey[] = [];
    for (let total = 0; ;) {
      const tasks = await this.database.query<DeleteTaskRow>(TAKE_DELETE_TASKS, [sweepBatch, failed, TAKEN_MS]);
      if (tasks.length === 0) return total;
      const keys = tasks.map((task) => task.object_key);
      const removal = await this.#remove(keys);
      if (removal.gone.length > 0) {
        failpoint('assets.collect.deleted');
        await this.database.query(END_DELETE_TASKS, [removal.gone]);
      }
      total += removal.gone.length;
      const gone = new Set(removal.gone);
      const left = keys.filter((key) => !gone.has(key));
      // Retried in the next run.
      if (left.length > 0) await this.database.query(RELEASE_DELETE_TASKS, [left]);
      failed.push(...removal.failed);
      if (removal.stopped || failed.length >= sweepBatch) return total;
    }
  }

  /** No other process works: tasks taken by a former process are free. */
  async afterCrash(): Promise<void> {
    await this.database.query(RELEASE_ALL_TASKS, []);
  }

  async #remove(keys: readonly BlobKey[]): Promise<Removal> {
    try {
      const failures = await this.store.deleteAll(keys);
      for (const [key, error] of failures) this.#logger.warn({ message: 'an object could not be deleted', key, error });
      const gone = keys.filter((key) => !failures.has(key));
      const stopped = [...failures.values()].some((error) => error instanceof BlobStoreUnavailableError);
      return { gone, failed: [...failures.keys()], stopped };
    } catch (error) {
      this.#logger.warn({ message: 'objects could not be deleted', objects: keys.length, error });
      return { gone: [], failed: [...keys], stopped: true };
    }
  }
}
