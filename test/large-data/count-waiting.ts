import { NIL_UUID } from '@heddle/contracts-messages';
import type pg from 'pg';
import { uuidText } from './mixed-numbers.ts';
import type { PlannedJob } from './plan-job.ts';

export const WHOLE_DEPLOYMENT = NIL_UUID;

const stepsSql = `insert into depth_step
  select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::timestamptz[])`;

const missingSql = `insert into jobs.queue_depth (deployment_id, account_id)
  select deployment_id, account_id from depth_step order by deployment_id, account_id on conflict do nothing`;

/** Locks counters in the order of the product: by deployment, then by account, the whole deployment first */
const lockSql = `select from jobs.queue_depth d join depth_step s using (deployment_id, account_id)
  order by d.deployment_id, d.account_id for no key update of d`;

const countSql = `update jobs.queue_depth d set waiting = d.waiting + s.waiting, running = d.running + s.running,
    served_at = greatest(d.served_at, s.served_at)
  from depth_step s where d.deployment_id = s.deployment_id and d.account_id = s.account_id`;

interface Step {
  readonly deployment: string;
  readonly account: string;
  waiting: number;
  running: number;
  servedAt: number | null;
}

/**
 * Counts the waiting and running jobs in the transaction that writes them. Rolls back and returns false if a service removed
 * the counter of an idle account in between.
 */
export async function countOrRollBack(session: pg.Client, jobs: readonly PlannedJob[]): Promise<boolean> {
  const steps = stepsOf(jobs);
  await session.query(
    `create temporary table depth_step (deployment_id uuid, account_id uuid, waiting int, running int, served_at timestamptz) on commit drop`,
  );
  await session.query(stepsSql, [
    steps.map(({ deployment }) => deployment),
    steps.map(({ account }) => account),
    steps.map(({ waiting }) => waiting),
    steps.map(({ running }) => running),
    steps.map(({ servedAt }) => (servedAt === null ? null : new Date(servedAt).toISOString())),
  ]);
  await session.query(missingSql);
  await session.query(lockSql);
  const { rowCount: counted } = await session.query(countSql);
  if (counted === steps.length) return true;
  await session.query('rollback');
  return false;
}

/** One step for each account's counter, and one for each deployment's counter, which counts only waiting jobs. */
function stepsOf(jobs: readonly PlannedJob[]): readonly Step[] {
  const steps = new Map<string, Step>();
  const stepOf = (deployment: string, account: string): Step => {
    const name = `${deployment} ${account}`;
    const step = steps.get(name) ?? { deployment, account, waiting: 0, running: 0, servedAt: null };
    steps.set(name, step);
    return step;
  };
  for (const job of jobs) {
    const deployment = uuidText(job.deploymentId);
    const ofAccount = stepOf(deployment, uuidText(job.accountId));
    const ofAll = stepOf(deployment, WHOLE_DEPLOYMENT);
    if (job.status === 'queued') {
      ofAccount.waiting += 1;
      ofAll.waiting += 1;
    } else ofAccount.running += 1;
    if (job.leasedAt !== null) ofAccount.servedAt = Math.max(ofAccount.servedAt ?? 0, job.leasedAt);
  }
  return [...steps.values()];
}
