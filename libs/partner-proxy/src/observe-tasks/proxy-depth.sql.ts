import type { TaskStep } from '@heddle/partner-proxy-domain';

/** Rows of a count: above it, the size of the trouble is clear, and the count stays short. */
const MAX_COUNTED = 20_000;

export interface StepRow {
  readonly step: TaskStep;
  readonly tasks: number;
  /** Since the task that is longest in the step entered it, of the tasks that were counted. */
  readonly ageSeconds: number;
}

/** Tasks that are not over, by step: the oldest ones. The order keeps the planner to an index. */
export const stepsSql = `
select step, count(*)::int as tasks, extract(epoch from heddle.clock_now() - min(step_at))::float8 as "ageSeconds"
from (
  select step, step_at from partner_proxy.task where step <> 'over' order by created_at, task_id limit ${MAX_COUNTED}
) open group by step`;

export interface DeliveriesRow {
  readonly waiting: number;
  readonly dead: number;
  readonly lagSeconds: number;
}

export const deliveriesSql = `
select
  (select count(*)::int from (select from partner_proxy.delivery where status = 'waiting' limit ${MAX_COUNTED}) w) as waiting,
  (select count(*)::int from (select from partner_proxy.delivery where status = 'dead' limit ${MAX_COUNTED}) d) as dead,
  greatest(0, coalesce(extract(epoch from heddle.clock_now() - (
    select next_at from partner_proxy.delivery where status = 'waiting' order by next_at, delivery_id limit 1)), 0))::float8
    as "lagSeconds"`;
