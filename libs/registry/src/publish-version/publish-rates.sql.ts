/** How many nodes a publisher made, and how many versions a node got, within a day; each counted at most to its limit. */
export const countNodesSql = `
select count(*)::int as made from (
  select from registry.node where publisher_id = $1 and created_at > heddle.clock_now_ms() - interval '1 day' limit $2) as n`;
export const countVersionsSql = `
select count(*)::int as made from (
  select from registry.version where node_key = $1 and created_at > heddle.clock_now_ms() - interval '1 day' limit $2) as v`;
