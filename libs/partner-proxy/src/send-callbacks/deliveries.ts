import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { PROXY_POOL } from '../proxy-pool.js';
import { claimSql, endSql, nextDueSql, retrySql, returnSql } from './delivery-rows.sql.js';
import type { ClaimedDelivery } from './delivery-rows.sql.js';
import type { DeliveryVerdict } from './delivery-verdict.js';

/** The rows of deliveries that wait. */
@Injectable()
export class Deliveries {
  constructor(@Inject(PROXY_POOL) private readonly pool: Pool) {}

  async claim(limit: number, notOf: readonly string[], leaseMs: number): Promise<readonly ClaimedDelivery[]> {
    return (await this.pool.query<ClaimedDelivery>(claimSql, [limit, notOf, leaseMs])).rows;
  }

  /** Milliseconds; null: none waits. */
  async untilNext(notOf: readonly string[]): Promise<number | null> {
    const { rows } = await this.pool.query<{ ms: number }>(nextDueSql, [notOf]);
    return rows[0]?.ms ?? null;
  }

  /** Changes nothing when the lease was lost, and another attempt was begun. */
  async decide({ deliveryId, accountId, attempt }: ClaimedDelivery, verdict: DeliveryVerdict): Promise<void> {
    const key = [deliveryId, accountId, attempt];
    if (verdict.next === 'retry') await this.pool.query(retrySql, [...key, verdict.afterMs, verdict.problem]);
    else if (verdict.next === 'dead') await this.pool.query(endSql, [...key, 'dead', verdict.problem]);
    else await this.pool.query(endSql, [...key, 'delivered', '']);
  }

  async giveBack({ deliveryId, accountId, attempt }: ClaimedDelivery): Promise<void> {
    await this.pool.query(returnSql, [deliveryId, accountId, attempt]);
  }
}
