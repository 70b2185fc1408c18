/** SQL expressions for one row of `created`: its columns in a batch, parameters where it is alone. */
export interface CreatedItem {
  readonly jobId: string;
  readonly eventId: string;
  readonly accountId: string;
  readonly deploymentId: string;
  readonly key: string;
  readonly metadata: string;
  readonly labels: string;
  readonly correlation: string;
  readonly hash: string;
  readonly event: string;
  readonly workflow: string;
  readonly schemaVersion: string;
  readonly retentionMs: string;
  readonly maxQueueWaitMs: string;
}

/** What makes a job, as CTEs over `created`, which gives `now`: its first event, its workflow, its read and queue rows. */
export function submissionWrites(item: CreatedItem): string {
  const { jobId, eventId, accountId, deploymentId } = item;
  return `
appended as (
  insert into jobs.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, fence,
                          is_terminal, recorded_at, correlation_id, data)
  select ${eventId}, ${jobId}, 1, 'JobSubmitted', ${item.schemaVersion}, ${accountId}, ${deploymentId}, 0, false, now,
         ${item.correlation}, ${item.event}
  from created
),
kept as (
  insert into jobs.workflow (hash, bytes)
  select distinct on (1) ${item.hash}, ${item.workflow} from created order by 1
  on conflict do nothing
),
shown as (
  insert into jobs.job (id, account_id, deployment_id, status, version, fence, created_at, updated_at, expires_at,
                        workflow_hash, idempotency_key, metadata, labels)
  select ${jobId}, ${accountId}, ${deploymentId}, 'queued', 1, 0, now, now,
         now + ${item.retentionMs} * interval '1 millisecond', ${item.hash}, ${item.key}, ${item.metadata}::json,
         string_to_array(${item.labels}, E'\\x1f')
  from created
),
queued as (
  insert into jobs.queue (job_id, account_id, deployment_id, state, version, fence, not_before, queue_deadline)
  select ${jobId}, ${accountId}, ${deploymentId}, 'queued', 1, 0, now,
         now + ${item.maxQueueWaitMs} * interval '1 millisecond'
  from created
)`;
}
