/**
 * What the general statement (commit.sql.ts) does for a batch that is one lease of one job: the hand-over of a job to a
 * worker that waits has no time for arrays (jobs-schema/lone-writes.ts). No row: the queue row's version moved on.
 */
export const loneLeaseSql = `
select 1 as item, now from jobs.lease_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as now where now is not null`;

/** The same for a batch that is the end of one leased job, with all that its worker told last (jobs-schema/lone-end.ts). */
export const loneEndSql = `
select 1 as item, now from jobs.end_job(
  $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) as now where now is not null`;
