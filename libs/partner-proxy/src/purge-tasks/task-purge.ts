import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { KEY_LIFE_MS } from '../keep-tasks/key-life.js';
import { PROXY_POOL } from '../proxy-pool.js';
import { PartnerProxySettings } from '../settings.js';
import { purgeKeysSql, purgeNoncesSql, purgeToldSql, purgeUntoldSql } from './purge-rows.sql.js';

/** Rows of a statement: it stays short however much has piled up. */
const BATCH = 500;
/** Statements of a run: a stop waits for it, and the next one comes within a minute. */
const MAX_BATCHES = 20;
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** As long as its Idempotency-Key may explain why a request failed. */
const UNTOLD_MS = KEY_LIFE_MS;

/**
 * Deletes what is past its retention. Only settled tasks go: the entries of the ledger stay, so that `heddle credits check` has
 * the same answer before and after.
 */
@Injectable()
export class TaskPurge {
  constructor(
    @Inject(PROXY_POOL) private readonly pool: Pool,
    private readonly settings: PartnerProxySettings,
  ) {}

  /** Pause between two runs. */
  get everyMs(): number {
    return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, this.settings.retentionMs / 4));
  }

  async run(trustedUntilMs = Infinity): Promise<void> {
    const { retentionMs } = this.settings;
    await this.#all(purgeNoncesSql, [BATCH, trustedUntilMs]);
    await this.#all(purgeKeysSql, [BATCH, KEY_LIFE_MS, trustedUntilMs]);
    await this.#all(purgeUntoldSql, [BATCH, Math.min(retentionMs, UNTOLD_MS), trustedUntilMs]);
    await this.#all(purgeToldSql, [BATCH, retentionMs, trustedUntilMs]);
  }

  async #all(sql: string, values: readonly number[]): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1)
      if ((await this.pool.query(sql, [...values])).rowCount !== BATCH) return;
  }
}
