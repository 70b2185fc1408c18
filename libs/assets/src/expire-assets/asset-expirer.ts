import { Injectable } from '@nestjs/common';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { EventfulStatement, Statement } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../assets-settings.js';
import { SWEEP_EXPIRED, SWEEP_KEYS, SWEEP_SILENT_HOLDS, SWEEP_UNCONFIRMED } from './expire-assets.sql.js';
import type { SweptRow } from './expire-assets.sql.js';

/** Removes what time has ended: records, unnamed outputs, holds of unknown jobs, idempotency keys. */
@Injectable()
export class AssetExpirer {
  constructor(
    private readonly database: AssetsDatabase,
    private readonly settings: AssetsSettings,
  ) {}

  /** Returns how many rows went. */
  async run(): Promise<number> {
    const { unconfirmedOutputMs, provisionalHoldMs, keyLifeMs } = this.settings;
    return (
      (await this.#sweep(SWEEP_EXPIRED)) +
      (await this.#sweep(SWEEP_UNCONFIRMED, unconfirmedOutputMs)) +
      (await this.#sweep(SWEEP_SILENT_HOLDS, provisionalHoldMs)) +
      (await this.#sweep(SWEEP_KEYS, keyLifeMs))
    );
  }

  async #sweep(statement: Statement | EventfulStatement, ...age: number[]): Promise<number> {
    let total = 0;
    for (;;) {
      const [row] = await this.database.query<SweptRow>(statement, [this.settings.sweepBatch, ...age]);
      total += row!.swept;
      if (row!.swept < this.settings.sweepBatch) return total;
    }
  }
}
