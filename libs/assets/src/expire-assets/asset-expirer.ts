import { Injectable } from '@nestjs/common';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { EventfulStatement, Statement } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../settings.js';
import { SWEEP_EXPIRED, SWEEP_KEYS, SWEEP_RELEASED } from './expire-assets.sql.js';
import type { SweptRow } from './expire-assets.sql.js';
import { SilentJobs } from './silent-jobs.js';

/**
 * Removes expired records, holds released long ago, expired idempotency keys, and holds and outputs that no job event
 * has named.
 */
@Injectable()
export class AssetExpirer {
  constructor(
    private readonly database: AssetsDatabase,
    private readonly settings: AssetsSettings,
    private readonly silentJobs: SilentJobs,
  ) {}

  /** Sweeps without calls to other services run first. */
  async run(trustedUntilMs = Infinity): Promise<void> {
    await this.#sweep(SWEEP_EXPIRED, trustedUntilMs);
    await this.#sweep(SWEEP_RELEASED, trustedUntilMs, this.settings.releasedHoldMs);
    await this.#sweep(SWEEP_KEYS, trustedUntilMs, this.settings.keyLifeMs);
    await this.silentJobs.run();
  }

  async #sweep(statement: Statement | EventfulStatement, ...times: number[]): Promise<void> {
    for (;;) {
      const [row] = await this.database.query<SweptRow>(statement, [this.settings.sweepBatch, ...times]);
      if (row!.swept < this.settings.sweepBatch) return;
    }
  }
}
