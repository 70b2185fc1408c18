import { Inject, Injectable } from '@nestjs/common';
import type { VendorName } from '@heddle/partner-proxy-domain';
import type { Pool } from 'pg';
import { VendorFaultError } from '../call-vendors/vendor-fault.js';
import { TaskFollower } from '../follow-task/task-follower.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { ProxyMetrics } from '../proxy-metrics.js';
import { PROXY_POOL } from '../proxy-pool.js';
import { refused } from '../refused.js';
import { VendorSignatures } from './vendor-signatures.js';
import type { ReceivedCallback } from './vendor-signatures.js';

/** A date holds for 5 minutes in both directions: after 11 a repeated nonce is refused by its date. */
const forgetNoncesSql = `
delete from partner_proxy.vendor_nonce where seen_at < heddle.clock_now() - interval '11 minutes'`;
const keepNonceSql = `
insert into partner_proxy.vendor_nonce (vendor, nonce) values ($1, $2) on conflict do nothing returning 1`;

/** A vendor says that a task changed. It is not believed: the task is read again from the vendor. */
@Injectable()
export class ReceiveCallbackHandler {
  @Inject(ProxyMetrics) private readonly metrics!: ProxyMetrics;

  constructor(
    private readonly signatures: VendorSignatures,
    private readonly tasks: Tasks,
    private readonly follower: TaskFollower,
    @Inject(PROXY_POOL) private readonly pool: Pool,
  ) {}

  async handle(vendor: VendorName, token: string, callback: ReceivedCallback): Promise<void> {
    const nonce = this.signatures.nonceOf(vendor, callback);
    const task = nonce === null ? null : await this.tasks.calledBack(vendor, token);
    if (nonce === null || task === null || !(await this.#isNew(vendor, nonce))) {
      this.metrics.callback(vendor, 'refused');
      throw refused('unauthorized', { case: 'callback' });
    }
    this.metrics.callback(vendor, 'taken');
    if (task.step !== 'under_way') return;
    await this.follower.reread(task).catch((error: unknown) => {
      // The poll makes it good.
      if (!(error instanceof VendorFaultError)) throw error;
    });
  }

  async #isNew(vendor: VendorName, nonce: string): Promise<boolean> {
    await this.pool.query(forgetNoncesSql);
    const { rowCount } = await this.pool.query(keepNonceSql, [vendor, nonce]);
    return rowCount === 1;
  }
}
