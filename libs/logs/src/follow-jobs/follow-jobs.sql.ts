/** Parameter: purged jobs. */
export const DELETE_LOGS = {
  name: 'logs.delete_logs',
  text: `delete from logs.execution_log where job_id = any($1::uuid[])`,
};
