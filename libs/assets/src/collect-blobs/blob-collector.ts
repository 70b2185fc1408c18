import { Injectable } from '@nestjs/common';
import { failpoint } from '@heddle/platform-database';
import { AssetsDatabase, keep } from '../assets-database/assets-database.js';
import { BlockedMover } from '../move-blocked/blocked-mover.js';
import { AssetsSettings } from '../settings.js';
import {
  CONDEMN,
  GIVE_UP_REPLACED,
  LOCK_CANDIDATES,
  LOCK_CONDEMNED,
  POSTPONE,
  TAKE_CANDIDATES,
  UNLINK,
} from './collect-blobs.sql.js';
import type { HashRow } from './collect-blobs.sql.js';
import { ObjectRemover } from './object-remover.js';

interface Collection {
  readonly condemned: number;
  readonly unlinked: number;
  readonly deleted: number;
}

/**
 * Frees unreferenced bytes in steps that each survive a crash (reliability 3.6): condemn, wait for the grace time,
 * unlink, delete. A blob can be revived until it is unlinked; afterwards the same bytes get a new key.
 */
@Injectable()
export class BlobCollector {
  constructor(
    private readonly database: AssetsDatabase,
    private readonly objects: ObjectRemover,
    private readonly blocked: BlockedMover,
    private readonly settings: AssetsSettings,
  ) {}

  async run(trustedUntilMs = Infinity): Promise<Collection> {
    await this.blocked.run();
    const condemned = await this.#repeat(() => this.#condemn());
    const unlinked = await this.#repeat(() => this.#unlink(trustedUntilMs));
    await this.database.query(GIVE_UP_REPLACED, [this.settings.sweepBatch]);
    return { condemned, unlinked, deleted: await this.objects.run() };
  }

  /** Each step takes a batch; a short batch is the last. */
  async #repeat(step: () => Promise<{ taken: number; done: number }>): Promise<number> {
    let total = 0;
    for (;;) {
      const { taken, done } = await step();
      total += done;
      if (taken < this.settings.sweepBatch) return total;
    }
  }

  async #condemn(): Promise<{ taken: number; done: number }> {
    const result = await this.database.transaction(async (session) => {
      const taken = await session.query<HashRow>(TAKE_CANDIDATES, [this.settings.sweepBatch]);
      if (taken.length === 0) return keep({ taken: 0, done: 0 });
      const hashes = [...new Set(taken.map((row) => row.hash))];
      const locked = (await session.query<HashRow>(LOCK_CANDIDATES, [hashes])).map((row) => row.hash);
      const held = new Set(locked);
      const passed = hashes.filter((hash) => !held.has(hash));
      const postponed = passed.length === 0 ? [] : await session.query(POSTPONE, [passed]);
      const done = locked.length === 0 ? [] : await session.query(CONDEMN, [locked]);
      // Postponed ones wait for the next run: retrying at once would loop.
      return keep({ taken: postponed.length > 0 ? 0 : taken.length, done: done.length });
    });
    if (result.done > 0) failpoint('assets.collect.condemned');
    return result;
  }

  async #unlink(trustedUntilMs: number): Promise<{ taken: number; done: number }> {
    const result = await this.database.transaction(async (session) => {
      const due = [this.settings.sweepBatch, this.settings.blobGraceMs, trustedUntilMs];
      const locked = await session.query<HashRow>(LOCK_CONDEMNED, due);
      const done = locked.length === 0 ? [] : await session.query(UNLINK, [locked.map((row) => row.hash)]);
      return keep({ taken: locked.length, done: done.length });
    });
    if (result.done > 0) failpoint('assets.collect.unlinked');
    return result;
  }
}
