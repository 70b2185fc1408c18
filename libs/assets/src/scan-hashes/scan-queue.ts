import { Injectable } from '@nestjs/common';
import { AssetsDatabase } from '../assets-database/assets-database.js';
import { AssetsMetrics } from '../assets-metrics.js';
import type { ScanVerdict } from '../moderate-hash/verdict-writer.js';
import { ServiceLease } from '../run-alone/service-lease.js';
import { AssetsSettings } from '../settings.js';
import { MissedHashes } from './missed-hashes.js';
import { DROP_UNSCANNED, MEASURE_BACKLOG, NEXT_FRESH, NEXT_RETRIES, POSTPONE_SCAN } from './scan-hashes.sql.js';
import type { BacklogRow, UnscannedRow } from './scan-hashes.sql.js';

/** How many waiting hashes are counted; while so many wait, no missed ones are looked for. */
const MAX_COUNTED = 1_000;
const MEASURE_MS = 2_000;

/** The hashes that no scanner has seen; uploads append to it. */
@Injectable()
export class ScanQueue {
  readonly lease: ServiceLease;
  readonly #missed: MissedHashes;
  #measuredAt = -Infinity;
  #waiting = 0;

  constructor(
    private readonly database: AssetsDatabase,
    settings: AssetsSettings,
    private readonly metrics: AssetsMetrics,
  ) {
    this.lease = new ServiceLease(database, 'moderation', settings.loneLeaseMs);
    this.#missed = new MissedHashes(database);
  }

  /** Hashes to scan now. Those that need no scan any more leave the queue. */
  async next(kind: 'fresh' | 'retries', busy: readonly string[], limit: number): Promise<readonly UnscannedRow[]> {
    const statement = kind === 'fresh' ? NEXT_FRESH : NEXT_RETRIES;
    for (;;) {
      const rows = await this.database.query<UnscannedRow>(statement, [busy, limit]);
      const done = rows.filter((row) => row.decided || row.object_key === null).map((row) => row.hash);
      if (done.length === 0) return rows;
      await this.database.query(DROP_UNSCANNED, [done]);
      if (done.length < rows.length) return rows.filter((row) => !done.includes(row.hash));
    }
  }

  async postpone(hash: string, pauseMs: number): Promise<void> {
    await this.database.query(POSTPONE_SCAN, [hash, pauseMs]);
  }

  scanned(result: ScanVerdict | 'failed'): void {
    this.metrics.scanned(result);
  }

  /** Measures the backlog, and queues missed hashes while few wait. True if there is more to queue at once. */
  async review(): Promise<boolean> {
    if (performance.now() - this.#measuredAt >= MEASURE_MS) await this.#measure();
    if (this.#waiting >= MAX_COUNTED || !(await this.#missed.step(this.lease))) return false;
    await this.#measure();
    return true;
  }

  async #measure(): Promise<void> {
    const [row] = await this.database.query<BacklogRow>(MEASURE_BACKLOG, [MAX_COUNTED]);
    this.#measuredAt = performance.now();
    this.#waiting = row!.waiting;
    this.metrics.backlog(row!.age ?? 0, row!.waiting);
  }
}
