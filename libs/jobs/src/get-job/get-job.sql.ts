import { VIEW_COLUMNS } from './job-row.js';

export const getJobSql = `
select ${VIEW_COLUMNS}
from jobs.job j left join jobs.job_progress p on p.job_id = j.id
where j.id = $1 and j.account_id = $2 and j.deployment_id = $3 and j.expires_at > heddle.clock_now()`;
