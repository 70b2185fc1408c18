import { EVENT_INSERT } from './job-columns.ts';

/**
 * The events of the planned jobs, in the order of their streams. Payloads are spelled as the domain's codec spells them
 * (held to it by large-data.int.spec.ts).
 */
export const eventsSql = `${EVENT_INSERT}
from pg_temp.planned_job j cross join lateral (values
  (1, 'JobSubmitted', j.at, 0, null::bigint, false, j.request_id, 'queued',
   '{"workflowHash":"blake3:' || encode(j.workflow_hash, 'hex') || '","nodesTotal":2,"inputs":[],"metadata":' || j.metadata
     || ',"idempotencyKey":' || coalesce('"' || j.key || '"', 'null')
     || ',"hasCredentials":false,"maxAttempts":3,"retentionMs":' || j.retention_ms
     || ',"maxQueueWaitMs":86400000,"surface":"self-hosted","traceparent":null}'),
  (2, 'JobLeased', j.leased_at, 1, null, false, 'large-data', 'running', case when j.leased_at is not null then
   '{"attempt":1,"fence":1,"workerId":"large-data","environment":"builtin/0.1.0","maxRuntimeMs":3600000}' end),
  (3, 'NodeFinished', j.ended_at, 1, 1, false, 'large-data', 'running', case when j.output is not null then
   '{"nodeId":"2","classType":"SaveImage","startedAt":"' || j.leased_text || '","endedAt":"' || j.leased_text
     || '","cached":false}' end),
  (4, 'OutputCommitted', j.ended_at, 1, 2, false, 'large-data', 'running', j.output),
  (3, 'CancelRequested', j.asked_at, 1, null, false, 'cancel-job', 'canceling', case when j.asked_at is not null then '{}' end),
  (j.version, case j.status when 'succeeded' then 'JobSucceeded' when 'failed' then 'JobFailed'
                            when 'canceled' then 'JobCanceled' else 'JobExpired' end,
   j.ended_at, j.fence, case when j.leased_at is not null then j.version - 2 - (j.asked_at is not null)::int end, true,
   case when j.leased_at is not null then 'large-data' when j.status = 'canceled' then 'cancel-job' else 'deadline:queue' end,
   j.status, j.ending)
) as e (version, type, at, fence, worker_seq, is_terminal, correlation_id, status, data)
where e.data is not null`;
