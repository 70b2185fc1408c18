import { Inject, Injectable } from '@nestjs/common';
import { invalidFields, PROXY_ADMIN_PORT } from '@heddle/contracts-messages';
import type { DeadDelivery, ListPart, ProxyAdminPort, RegistryQueueEntry } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import { queueSql } from './queue.sql.js';
import type { QueueRow } from './queue.sql.js';

const CURSOR = /^(\d{1,15})_([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/;
const FIRST = ['0', '00000000-0000-0000-0000-000000000000'] as const;

/** What waits for the operator, oldest first: flagged versions, requests for a review, reports, dead deliveries. */
@Injectable()
export class ReadQueueHandler {
  constructor(
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    @Inject(PROXY_ADMIN_PORT) private readonly proxy: ProxyAdminPort | null,
  ) {}

  async handle({ after, limit }: ListPart): Promise<readonly RegistryQueueEntry[]> {
    const [, ms, id] = after === null ? ['', ...FIRST] : (CURSOR.exec(after) ?? []);
    if (id === undefined) throw new RejectionError(invalidFields({ after: 'must be the next of an earlier answer' }));
    const [{ rows }, dead] = await Promise.all([
      this.pool.query<QueueRow>(queueSql, [ms, id, limit]),
      this.proxy?.deadDeliveries({ afterMs: Number(ms), afterId: id, limit }) ?? [],
    ]);
    const all = [...rows.map(entryOfRow), ...dead.map(entryOfDelivery)];
    return all.sort(byPlace).slice(0, limit);
  }
}

function entryOfRow({ kind, entry_id, node_id: nodeId, version, at, text }: QueueRow): RegistryQueueEntry {
  return { cursor: `${at.getTime()}_${entry_id}`, kind, nodeId, version, at: at.toISOString(), text };
}

function entryOfDelivery({ deliveryId, taskId, at, problem }: DeadDelivery): RegistryQueueEntry {
  const cursor = `${new Date(at).getTime()}_${deliveryId}`;
  return { cursor, kind: 'delivery', nodeId: '', version: null, at, text: `${taskId}: ${problem}` };
}

/** As the statements order: by time, then by id. */
function byPlace(one: RegistryQueueEntry, other: RegistryQueueEntry): number {
  const sortKeyOf = ({ at, cursor }: RegistryQueueEntry): string => `${at} ${cursor}`;
  return sortKeyOf(one) < sortKeyOf(other) ? -1 : 1;
}
