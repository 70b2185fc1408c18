import { Inject, Injectable } from '@nestjs/common';
import { invalidFields } from '@heddle/contracts-messages';
import type { ListPart, RegistryQueueEntry } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import { queueSql } from './queue.sql.js';
import type { QueueRow } from './queue.sql.js';

const CURSOR = /^(\d{1,15})_([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/;
const FIRST = ['0', '00000000-0000-0000-0000-000000000000'] as const;

/** What waits for the operator, oldest first: flagged versions, requests for a review, reports. */
@Injectable()
export class ReadQueueHandler {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  async handle({ after, limit }: ListPart): Promise<readonly RegistryQueueEntry[]> {
    const [, ms, id] = after === null ? ['', ...FIRST] : (CURSOR.exec(after) ?? []);
    if (id === undefined) throw new RejectionError(invalidFields({ after: 'must be the next of an earlier answer' }));
    const { rows } = await this.pool.query<QueueRow>(queueSql, [ms, id, limit]);
    return rows.map(({ kind, entry_id, node_id: nodeId, version, at, text }) => {
      return { cursor: `${at.getTime()}_${entry_id}`, kind, nodeId, version, at: at.toISOString(), text };
    });
  }
}
