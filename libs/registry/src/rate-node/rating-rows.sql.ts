/**
 * The node is locked: no two ratings of it are at once. One row with the stars before; null: there was no rating. The
 * route and the tables say `review`.
 */
export const setRatingSql = `
with before as (select star from registry.review where node_key = $1 and account_id = $2),
  done as (insert into registry.review (node_key, account_id, star) values ($1, $2, $3)
    on conflict (node_key, account_id) do update set star = excluded.star)
select (select star from before) as before`;
export const addStarsSql = `
insert into registry.node_count as c (node_key, stars, reviews) values ($1, $2, $3)
on conflict (node_key) do update set stars = c.stars + $2, reviews = c.reviews + $3`;
