import { newUuid, SELF_HOSTED_POOL, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { JobId, JobLease, JobsPort, WorkPort, WorkSession } from '@heddle/contracts-messages';

const GRAPH = '{"1":{"class_type":"EmptyImage","inputs":{"width":16,"height":16,"batch_size":1,"color":1}}}';
const DONE = {
  value: 1,
  nodesDone: 1,
  nodesTotal: 1,
  currentNode: null,
  currentNodeClass: null,
  step: null,
  steps: null,
  message: null,
};

/** Submits a job with one node for the served account. */
export async function submitOne(jobs: JobsPort): Promise<JobId> {
  const jobId = newUuid() as JobId;
  const answer = await jobs.submit(SELF_HOSTED_PRINCIPAL, {
    jobId,
    idempotencyKey: null,
    workflow: Buffer.from(GRAPH),
    nodesTotal: 1,
    metadata: {},
    inputs: [],
    credentials: null,
    revision: 0,
    requestId: 'large-data',
    traceparent: null,
  });
  if (!answer.ok) throw new Error(answer.rejection.message);
  return jobId;
}

/** A worker of the served deployment that takes one job at a time */
export class OneJobWorker {
  readonly #session: WorkSession;
  #leased: (lease: JobLease) => void = () => undefined;

  constructor(work: WorkPort, workerId: string) {
    const identity = { workerId, environment: 'builtin/0.1.0', ...SELF_HOSTED_POOL };
    this.#session = work.open(identity, { leases: ([lease]) => this.#leased(lease!), state: () => undefined });
  }

  async next(): Promise<JobLease> {
    return await new Promise((resolve) => {
      this.#leased = resolve;
      this.#session.offer(1);
    });
  }

  /** Reports success of the job. Resolves when the report is stored. */
  async end({ jobId, fence }: JobLease): Promise<void> {
    const outcome = { kind: 'outcome', outcome: { kind: 'succeeded' }, progress: DONE } as const;
    const [verdict] = await this.#session.report([{ ...outcome, jobId, fence, sequence: 1 }]);
    if (verdict !== 'stored') throw new Error(`the end of job ${jobId} was answered ${verdict}`);
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}
