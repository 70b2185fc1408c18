/** The index of worker sequences contains each report once; the worker is the correlation id of its reports. */
export const storedSql = `
select from jobs.event
where stream_id = $1 and fence = $2 and worker_seq = $3 and correlation_id = $4 and deployment_id = $5 limit 1`;
