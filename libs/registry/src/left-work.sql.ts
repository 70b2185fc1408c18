/**
 * A row: an earlier process left work that begins without a request. A version waits for its inspection, or for bytes that
 * may be late, or the bytes of an upload that a crash cut off are still there. Each is one look into an index.
 */
export const leftWorkSql = `
select 1 where exists (select from registry.version where waits)
  or exists (select from registry.version where status = 'pending' and blob is null)
  or exists (select from registry.upload)`;
