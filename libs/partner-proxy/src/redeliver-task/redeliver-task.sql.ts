/** `known`: the task exists. Its dead deliveries are due at once, with all attempts before them. */
export const redeliverSql = `
with due as (
  update partner_proxy.delivery
  set status = 'waiting', attempts = 0, next_at = heddle.clock_now_ms(), ended_at = null, problem = ''
  where task_id = $1 and status = 'dead' returning 1
)
select exists (select from partner_proxy.task where task_id = $1) as known, (select count(*)::int from due) as deliveries`;

export const deadDeliveriesSql = `
select delivery_id as "deliveryId", task_id as "taskId", ended_at as at, problem from partner_proxy.delivery
where status = 'dead' and (ended_at, delivery_id) > (to_timestamp($1::float8 / 1000), $2::uuid)
order by ended_at, delivery_id limit $3`;
