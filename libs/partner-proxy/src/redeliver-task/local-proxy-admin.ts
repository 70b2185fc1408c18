import { accepted, isUuid, refuse, rejected } from '@heddle/contracts-messages';
import type {
  Answer,
  DeadDeliveriesPart,
  DeadDelivery,
  ProxyAdminPort,
  RedeliveredTask,
} from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { deadDeliveriesSql, redeliverSql } from './redeliver-task.sql.js';

interface Redelivered {
  readonly known: boolean;
  readonly deliveries: number;
}

/** Works on the rows alone: a list does not load the proxy. `onDue`: deliveries are due, and the proxy of this process may be closed. */
export class LocalProxyAdmin implements ProxyAdminPort {
  constructor(
    private readonly pool: Pool,
    private readonly onDue: () => void,
  ) {}

  async redeliver(taskId: string): Promise<Answer<RedeliveredTask>> {
    const { rows } = isUuid(taskId) ? await this.pool.query<Redelivered>(redeliverSql, [taskId]) : { rows: [] };
    if (rows[0]?.known !== true) return rejected(refuse('not_found', { case: 'task', id: taskId }));
    if (rows[0].deliveries > 0) this.onDue();
    return accepted({ taskId, deliveries: rows[0].deliveries });
  }

  async deadDeliveries({ afterMs, afterId, limit }: DeadDeliveriesPart): Promise<readonly DeadDelivery[]> {
    const values = [afterMs, afterId, limit];
    const { rows } = await this.pool.query<Omit<DeadDelivery, 'at'> & { at: Date }>(deadDeliveriesSql, values);
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }
}
