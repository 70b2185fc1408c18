import type { AccountId, AssetId, AssetMessage, DeploymentId, JobId } from '@heddle/contracts-messages';
import type { Statement } from '../assets-database/assets-database.js';

export interface OutboxRow {
  readonly id: string;
  readonly event_id: string;
  readonly type: AssetMessage['type'];
  readonly hash: string;
  readonly asset_id: AssetId | null;
  readonly account_id: AccountId | null;
  readonly deployment_id: DeploymentId | null;
  readonly size_bytes: number | null;
  readonly job_id: JobId | null;
  readonly reason: string | null;
  readonly recorded_at: Date;
  readonly age: number;
}

/**
 * The oldest events. Numbers are assigned before the commit, so a lower one may appear later; but two changes of one
 * record wait for each other, so within a record number order is commit order. Rows leave the table when they are
 * published, so a late one is never skipped. Parameter: maximum rows.
 */
export const NEXT_EVENTS: Statement = {
  name: 'assets.next_events',
  text: `select id, event_id, type, hash, asset_id, account_id, deployment_id, size_bytes::float8 as size_bytes, job_id,
                reason, recorded_at, extract(epoch from heddle.clock_now() - recorded_at)::float8 as age
         from assets.outbox order by id limit $1`,
};

/** Parameter: ids. */
export const END_EVENTS: Statement = {
  name: 'assets.end_events',
  text: 'delete from assets.outbox where id = any($1::bigint[])',
};
