import { NIL_UUID } from '@heddle/contracts-messages';
import type { ClientBase } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';

/** Maximum events per slice, except for a single job with more. */
const EVENTS = 4_000;
const IDS = 1_000;
const NUMBERS = 20_000n;
/** Maximum jobs remembered as done, so that a job with many late events is not checked for each of them. */
const MAX_REMEMBERED = 200_000;
const FIRST_ID = NIL_UUID;

/** Selects some jobs, as a condition on a column of job ids. */
export type JobSlice = (column: string) => string;

/**
 * All jobs by id, with a bounded number of events and rows per slice; the slices cover all ids, so that rows without
 * any event are included.
 */
export async function* allJobs(client: ClientBase): AsyncGenerator<JobSlice> {
  let after = FIRST_ID;
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query<{ stream_id: string | null }>(
      `select least(
         (select stream_id from ${JOBS_SCHEMA}.event where stream_id > $1 order by stream_id, version offset ${EVENTS - 1} limit 1),
         (select id from ${JOBS_SCHEMA}.job where id > $1 order by id offset ${EVENTS - 1} limit 1)) as stream_id`,
      [after],
    );
    const [from, to] = [after, rows[0]?.stream_id ?? null];
    const above = isFirst ? '>=' : '>';
    yield (column) => `${column} ${above} '${from}'${to === null ? '' : ` and ${column} <= '${to}'`}`;
    if (to === null) return;
    after = to;
  }
}

/** Jobs with an event after `after` and up to `last`. */
export async function* jobsSince(client: ClientBase, after: bigint, last: bigint): AsyncGenerator<JobSlice> {
  const done = new Set<string>();
  for (let seq = after; seq < last; seq += NUMBERS) {
    const { rows } = await client.query<{ stream_id: string }>(
      `select distinct coalesce(s.stream_id, e.stream_id) as stream_id from ${JOBS_SCHEMA}.event_seq s
         left join ${JOBS_SCHEMA}.event e on s.stream_id is null and e.txid = s.txid and e.position = s.position
        where s.seq > $1 and s.seq <= least($1 + ${NUMBERS}, $2::bigint) and (s.stream_id is not null or e.stream_id is not null)`,
      [String(seq), String(last)],
    );
    const ids = rows.map(({ stream_id }) => stream_id).filter((id) => !done.has(id));
    if (done.size > MAX_REMEMBERED) done.clear();
    for (const id of ids) done.add(id);
    yield* listed(ids);
  }
}

export function* listed(ids: readonly string[]): Generator<JobSlice> {
  for (let at = 0; at < ids.length; at += IDS) {
    const literal = ids.slice(at, at + IDS).join(',');
    yield (column) => `${column} = any('{${literal}}'::uuid[])`;
  }
}
