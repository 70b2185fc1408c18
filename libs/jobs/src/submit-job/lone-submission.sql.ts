/**
 * The statement of a batch of one, which is what an idle service meets: the same judgement and the same writes as the
 * batch's (submission.sql.ts), in a compiled function (jobs-schema/lone-writes.ts).
 */
export const loneSubmissionSql = `
select 1 as ord, verdict, now, account_waiting, deployment_waiting
from jobs.submit_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`;
