import type pg from 'pg';

const WHOLE_DEPLOYMENT = '00000000-0000-0000-0000-000000000000';

const stepsSql = `create temporary table depth_step on commit drop as
  select deployment_id, account_id, count(*) filter (where status = 'queued') as waiting,
         count(*) filter (where status <> 'queued') as running, max(leased_at) as served_at
  from pg_temp.planned_job where ended_at is null group by 1, 2
  union all
  select deployment_id, '${WHOLE_DEPLOYMENT}', count(*) filter (where status = 'queued'), 0, null
  from pg_temp.planned_job where ended_at is null group by 1`;

const missingSql = `insert into jobs.queue_depth (deployment_id, account_id)
  select deployment_id, account_id from depth_step order by deployment_id, account_id on conflict do nothing`;

/** In the order in which the product locks counters: deployment, then account, the whole deployment first. */
const lockSql = `select from jobs.queue_depth d join depth_step s using (deployment_id, account_id)
  order by d.deployment_id, d.account_id for no key update of d`;

const countSql = `update jobs.queue_depth d set waiting = d.waiting + s.waiting, running = d.running + s.running,
    served_at = greatest(d.served_at, s.served_at)
  from depth_step s where d.deployment_id = s.deployment_id and d.account_id = s.account_id`;

/**
 * Counts the planned jobs that wait or run, in the transaction that writes them. False, and the transaction is rolled back: a service
 * removed the counter of an idle account in between.
 */
export async function countOrRollBack(session: pg.Client): Promise<boolean> {
  const { rowCount: wanted } = await session.query(stepsSql);
  await session.query(missingSql);
  await session.query(lockSql);
  const { rowCount: counted } = await session.query(countSql);
  if (counted === wanted) return true;
  await session.query('rollback');
  return false;
}
