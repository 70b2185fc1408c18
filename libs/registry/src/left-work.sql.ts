/**
 * A row: an earlier process left work that begins without a request. A version waits for its inspection, or for bytes that
 * may be late, or the bytes of an upload that a crash cut off are still there. Each is one look into an index,
 * whose order keeps the planner to it.
 */
export const leftWorkSql = `
select 1 where (select true from registry.version where waits order by created_at limit 1)
  or (select true from registry.version where status = 'pending' and blob is null order by published_at limit 1)
  or (select true from registry.upload order by begun_at limit 1)`;
