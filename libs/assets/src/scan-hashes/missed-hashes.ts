import type { AssetsDatabase } from '../assets-database/assets-database.js';
import { Walk } from '../run-alone/walk.js';
import type { ServiceLease } from '../run-alone/service-lease.js';
import { QUEUE_MISSED } from './scan-hashes.sql.js';
import type { ReviewedRow } from './scan-hashes.sql.js';

const PASS_MS = 86_400_000;
const PAGE = 200;

/**
 * Looks for uploaded bytes that were never queued: once after each start, because a service without a scanner may have
 * taken uploads before, and then once a day.
 */
export class MissedHashes {
  #passed = false;

  constructor(private readonly database: AssetsDatabase) {}

  /** One page. False if there is nothing to do now. */
  async step(lease: ServiceLease): Promise<boolean> {
    const walk = new Walk(this.database, lease);
    const { position, rested } = await walk.find();
    if (this.#passed && rested !== null && rested < PASS_MS) return false;
    const [page] = await this.database.query<ReviewedRow>(QUEUE_MISSED, [position, PAGE]);
    if (page!.last !== null) return await walk.moveTo(page!.last);
    this.#passed = true;
    await walk.end();
    return false;
  }
}
