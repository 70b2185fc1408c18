export const aheadSql = `
select jobs.make_event_partitions($1::bigint, array(
  select (extract(epoch from heddle.clock_now()) * 1000)::bigint + n * $1::bigint from generate_series(0, $2::int) n)) as made`;

export const coverSql = `select jobs.make_event_partitions($1::bigint, $2::bigint[]) as made`;
