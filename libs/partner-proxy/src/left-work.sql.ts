/**
 * Whether an earlier process left work, or tasks that a vendor took and that ended $1 ms ago: then the proxy is opened without a
 * request. The order keeps the planner to an index.
 */
export const leftWorkSql = `
select 1 where (select true from partner_proxy.task where step <> 'over' order by created_at, task_id limit 1)
  or (select true from partner_proxy.delivery where status = 'waiting' order by next_at, delivery_id limit 1)
  or (select true from partner_proxy.task where step = 'over' and vendor_task_id is not null
    and step_at <= heddle.clock_now() - $1::float8 * interval '1 millisecond' order by step_at limit 1)`;
