import { trustedNowSql } from '@heddle/platform-database';

/** Maximum rows of one statement. */
export const EXPIRE_BATCH = 500;

/** Jobs are purged soon after their expiry; this deletes logs whose purge message was lost. Parameter: until when the clock is trusted. */
export const EXPIRE_LOGS = {
  name: 'logs.expire',
  text: `delete from logs.execution_log where job_id in (
           select job_id from logs.execution_log where expires_at < ${trustedNowSql(1)} - interval '1 hour'
           order by expires_at limit ${EXPIRE_BATCH} for update skip locked)`,
};
