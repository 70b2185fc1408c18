import { Injectable } from '@nestjs/common';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import type { EventfulStatement, Statement } from '../assets-database/assets-database.js';
import { AssetsSettings } from '../assets-settings.js';
import { SILENT_HOLDS, SWEEP_EXPIRED, SWEEP_KEYS, SWEEP_RELEASED, UNCONFIRMED } from './expire-assets.sql.js';
import type { SilenceStatements, SweptRow } from './expire-assets.sql.js';
import { PatientSweep } from './patient-sweep.js';

/** Removes what time has ended: records, unnamed outputs, holds of unknown jobs and those long released, idempotency keys. */
@Injectable()
export class AssetExpirer {
  readonly #unconfirmed: PatientSweep;
  readonly #silentHolds: PatientSweep;

  constructor(
    private readonly database: AssetsDatabase,
    private readonly settings: AssetsSettings,
  ) {
    const { unconfirmedOutputMs, provisionalHoldMs, sweepBatch, sweepPatienceMs } = settings;
    const patient = (statements: SilenceStatements, ageMs: number): PatientSweep =>
      new PatientSweep(database, statements, {
        ageMs,
        patienceMs: Math.min(ageMs, sweepPatienceMs),
        mostRows: sweepBatch,
      });
    this.#unconfirmed = patient(UNCONFIRMED, unconfirmedOutputMs);
    this.#silentHolds = patient(SILENT_HOLDS, provisionalHoldMs);
  }

  /** Returns how many rows went. */
  async run(): Promise<number> {
    return (
      (await this.#sweep(SWEEP_EXPIRED)) +
      (await this.#unconfirmed.run()) +
      (await this.#silentHolds.run()) +
      (await this.#sweep(SWEEP_RELEASED, this.settings.releasedHoldMs)) +
      (await this.#sweep(SWEEP_KEYS, this.settings.keyLifeMs))
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
