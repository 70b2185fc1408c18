import { SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type pg from 'pg';

/** Tables that stay small with any number of jobs, with the reason. Every other table of the services grows. */
export const SMALL_TABLES: Readonly<Record<string, string>> = {
  seq_cursor: 'one row',
  relay_cursor: 'a row a consumer',
  event_held: 'events that wait for a predecessor: none in a log that is well',
  queue_depth: 'accounts whose jobs wait, run, or ran in the last minute; the purge removes the others',
  log_format: 'one row',
  log_identity: 'one row',
  cursor_secret: 'one row',
  replica: 'a row a process',
  checkpoint: 'a row an interval; read by its key',
  event_partition: 'a row a partition',
  job_progress: 'a row a running job',
  migration: 'a row a step',
  function_hash: 'a row a function',
  service_role: 'a row a role',
  lease: 'a row a task that one process does at a time',
  walk: 'a row a walk',
  job_feed: 'one row',
  inbox_place: 'a row a topic',
  inbox: 'events behind the place; emptied every second',
  upload: 'a row an upload under way',
  outbox: 'emptied as events are published',
  collect_candidate: 'emptied by every collection',
  move_task: 'emptied by every sweep',
  verdict: 'decisions of people',
};

/** Rows in tables that just-ended jobs fill: more than any statement may read */
const CROWD = 5_000;

export interface CrowdedAsset {
  readonly id: string;
  readonly hash: string;
}

/** Creates an upload that was the input of thousands of just-ended jobs. */
export async function crowdedAsset(owner: pg.Client): Promise<CrowdedAsset> {
  const { rows } = await owner.query<CrowdedAsset>(
    `select id, hash from assets.asset where account_id = $1 and job_id is null order by id limit 1`,
    [SELF_HOSTED_PRINCIPAL.accountId],
  );
  return rows[0]!;
}

export async function crowd(owner: pg.Client): Promise<void> {
  const { id } = await crowdedAsset(owner);
  await owner.query(
    `insert into assets.hold (job_id, asset_id, account_id, created_at, firm_at, released_at)
     select gen_random_uuid(), id, account_id, now(), now(), now() from assets.asset, generate_series(1, ${CROWD}) where id = $1`,
    [id],
  );
  for (const rows of [
    `insert into assets.delete_task (object_key, created_at, taken_until, again_at)
     select gen_random_uuid(), now(), now() + interval '1 hour', now() + interval '1 hour' from generate_series(1, ${CROWD})`,
    `insert into assets.idempotency_key (account_id, key, asset_id, claimed_at)
     select account_id, 'crowd/' || row_number() over (), id, now() from assets.asset limit ${CROWD}`,
    `insert into jobs.idempotency_key (account_id, key, job_id, claimed_at)
     select account_id, 'crowd/' || row_number() over (), id, now() from jobs.job limit ${CROWD}`,
    `insert into assets.account_storage (account_id, stored_bytes)
     select gen_random_uuid(), n from generate_series(1, ${CROWD}) n`,
    `insert into jobs.account_limit (account_id, waiting, version)
     select gen_random_uuid(), n, 1 from generate_series(1, ${CROWD}) n`,
    `insert into jobs.deployment_limit (deployment_id, waiting, version)
     select gen_random_uuid(), n, 1 from generate_series(1, ${CROWD}) n`,
  ])
    await owner.query(rows);
}

/**
 * Makes the planner see tables a hundred times as large, as for two million jobs. The statistics are real; nothing updates the
 * counts afterwards.
 */
export async function enlarge(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables where schemaname in ('jobs', 'assets')`,
  );
  for (const { name } of rows) {
    await owner.query(`alter table ${name} set (autovacuum_enabled = false)`).catch(() => undefined);
    await owner.query(`analyze ${name}`);
  }
  await owner.query(
    `update pg_class set reltuples = reltuples * 100
     where reltuples > 100 and relnamespace in ('jobs'::regnamespace, 'assets'::regnamespace)`,
  );
}
