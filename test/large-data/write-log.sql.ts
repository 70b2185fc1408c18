import { EVENT_INSERT } from './job-columns.ts';

/** One kind of event: the columns of `e` that job-columns.ts names, of the planned jobs `j` that have it. */
interface EventKind {
  readonly version: string;
  readonly type: string;
  readonly at: string;
  readonly fence: string;
  readonly workerSeq: string;
  readonly isTerminal: boolean;
  readonly correlation: string;
  readonly status: string;
  /** Spelled as the domain's codec spells it (held to it by large-data.int.spec.ts). */
  readonly data: string;
  /** Which jobs have such an event. */
  readonly when: string;
}

const BY_WORKER = { fence: '1', isTerminal: false, correlation: `'large-data'`, status: `'running'` };

const KINDS: readonly EventKind[] = [
  {
    version: '1',
    type: `'JobSubmitted'`,
    at: 'j.at',
    fence: '0',
    workerSeq: 'null::bigint',
    isTerminal: false,
    correlation: 'j.request_id',
    status: `'queued'`,
    data: `'{"workflowHash":"blake3:' || encode(j.workflow_hash, 'hex') || '","nodesTotal":2,"inputs":[],"metadata":' || j.metadata
      || ',"idempotencyKey":' || coalesce('"' || j.key || '"', 'null')
      || ',"hasCredentials":false,"maxAttempts":3,"retentionMs":' || j.retention_ms
      || ',"maxQueueWaitMs":86400000,"surface":"self-hosted","traceparent":null}'`,
    when: 'true',
  },
  {
    ...BY_WORKER,
    version: '2',
    type: `'JobLeased'`,
    at: 'j.leased_at',
    workerSeq: 'null::bigint',
    data: `'{"attempt":1,"fence":1,"workerId":"large-data","environment":"builtin/0.1.0","maxRuntimeMs":3600000}'`,
    when: 'j.leased_at is not null',
  },
  {
    ...BY_WORKER,
    version: '3',
    type: `'NodeFinished'`,
    at: 'j.ended_at',
    workerSeq: '1::bigint',
    data: `'{"nodeId":"2","classType":"SaveImage","startedAt":"' || j.leased_text || '","endedAt":"' || j.leased_text
      || '","cached":false}'`,
    when: 'j.output is not null',
  },
  {
    ...BY_WORKER,
    version: '4',
    type: `'OutputCommitted'`,
    at: 'j.ended_at',
    workerSeq: '2::bigint',
    data: 'j.output',
    when: 'j.output is not null',
  },
  {
    ...BY_WORKER,
    version: '3',
    type: `'CancelRequested'`,
    at: 'j.asked_at',
    workerSeq: 'null::bigint',
    correlation: `'cancel-job'`,
    status: `'canceling'`,
    data: `'{}'`,
    when: 'j.asked_at is not null',
  },
  {
    version: 'j.version',
    type: `case j.status when 'succeeded' then 'JobSucceeded' when 'failed' then 'JobFailed' when 'canceled' then 'JobCanceled'
      else 'JobExpired' end`,
    at: 'j.ended_at',
    fence: 'j.fence',
    workerSeq: `case when j.leased_at is not null then j.version - 2 - (j.asked_at is not null)::int end`,
    isTerminal: true,
    correlation: `case when j.leased_at is not null then 'large-data' when j.status = 'canceled' then 'cancel-job'
      else 'deadline:queue' end`,
    status: 'j.status',
    data: 'j.ending',
    when: 'j.ending is not null',
  },
];

/** The events of the planned jobs, kind after kind: the order within each stream is that of its versions. */
export const EVENT_STATEMENTS: readonly string[] = KINDS.map(
  (kind) => `${EVENT_INSERT}
from pg_temp.planned_job j cross join lateral (
  select ${kind.version} as version, ${kind.type} as type, ${kind.at} as at, ${kind.fence} as fence, ${kind.workerSeq} as worker_seq,
    ${kind.isTerminal} as is_terminal, ${kind.correlation} as correlation_id, ${kind.status} as status, ${kind.data} as data
) e
where ${kind.when}`,
);
