import type { AssetMessage } from '@heddle/contracts-messages';
import type { EventfulStatement } from '../assets-database/assets-database.js';

/** Another part of a WITH list: an event for each of `rows`, a part that returns whole rows of `assets.asset`. */
type RecordEvents = (type: RecordEvent, rows: string, reason?: string) => string;
type RecordEvent = Extract<AssetMessage, { readonly assetId: unknown }>['type'];

export function eventful(name: string, text: (record: RecordEvents) => string): EventfulStatement {
  return {
    quiet: { name, text: text(() => '') },
    recording: { name: `${name}_recording`, text: text(eventsOf) },
  };
}

function eventsOf(type: RecordEvent, rows: string, reason?: string): string {
  const why = reason === undefined ? 'null' : `'${reason}'`;
  return `, event_of_${rows} as (
           insert into assets.outbox (type, hash, asset_id, account_id, deployment_id, size_bytes, job_id, reason, recorded_at)
           select '${type}', r.hash, r.id, r.account_id, r.deployment_id, r.size_bytes, r.job_id, ${why}, heddle.clock_now_ms()
           from ${rows} r
         )`;
}
