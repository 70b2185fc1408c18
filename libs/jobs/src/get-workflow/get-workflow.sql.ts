export const getWorkflowSql = `
select w.bytes
from jobs.job j join jobs.workflow w on w.hash = j.workflow_hash
where j.id = $1 and j.account_id = $2 and j.deployment_id = $3 and j.expires_at > heddle.clock_now()`;
