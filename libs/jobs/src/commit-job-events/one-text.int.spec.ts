import { encodeJobEvent, initial, isLeased, leaseJob, submitJob } from '@heddle/jobs-domain';
import type { JobState } from '@heddle/jobs-domain';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId } from '@heddle/contracts-messages';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { TestDatabase } from '@heddle/testing-database';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { JobsSettings } from '../settings.js';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';
import { versionOf } from '../known-jobs/known-jobs.js';
import { dropConsistent, openDatabase } from '../jobs-under-test/open-jobs.fixture.js';
import { randomCommand } from '../jobs-under-test/random-jobs.fixture.js';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';
import { SubmissionBatch } from '../submit-job/submission-batch.js';
import type { BatchVerdict } from '../submit-job/submission-batch.js';
import { openAccountSql } from '../submit-job/submission.sql.js';
import type { SubmissionItem } from '../submit-job/submission-statement.js';
import { LogFormat } from '../notify-peers/log-format.js';
import { foldRecorded, planChange } from './change-plan.js';
import type { ChangePlan, CommitItem } from './change-plan.js';
import { CommitBatch } from './commit-batch.js';

interface Model {
  readonly jobId: JobId;
  readonly accountId: AccountId;
  readonly deploymentId: DeploymentId;
  /** Every state of the job; the last one is current. */
  readonly states: JobState[];
}

const ROUNDS = 120;
const ROOM = { queueDepthAccount: 4, queueDepth: 9, maxRuntimeMs: 60_000 };

describe(`SQL and domain over random batches (seed ${seed})`, () => {
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const settings = new JobsSettings(ROOM);
  const deployments = [newUuid(), newUuid()] as DeploymentId[];
  const accounts = Array.from({ length: 3 }, () => newUuid() as AccountId);
  const jobs: Model[] = [];
  const held = new Set<string>();
  const verdicts = new Set<string>();
  let db: TestDatabase;
  let submissions: SubmissionBatch;
  let changes: CommitBatch;
  beforeAll(async () => {
    db = await openDatabase();
    for (const deployment of deployments) await opened(deployment);
    submissions = new SubmissionBatch(db.pool(JOBS_ROLE), settings, { cover: () => Promise.resolve() });
    const metrics = new JobsMetrics(new MetricsRegistry());
    changes = new CommitBatch(db.pool(JOBS_ROLE), settings, metrics, new LogFormat(db.pool(JOBS_ROLE)));
  });
  // Every row, queue row and counter matches the log.
  afterAll(async () => {
    await dropConsistent(db);
  });

  it('agree on every verdict, position, status and version', { timeout: 120_000 }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      // Sometimes a deployment without queued jobs.
      if (round % 10 === 0) deployments[0] = await opened(newUuid() as DeploymentId);
      await submitSome();
      await changeSome();
    }
    expect([...verdicts].sort()).toEqual([
      'committed',
      'conflict',
      'created',
      'key_reuse',
      'leased at once',
      'queue_full',
    ]);
    const { rows } = await db.owner.query<{ id: string; status: string; version: number }>(
      'select id, status, version from jobs.job',
    );
    const shown = new Map(rows.map(({ id, status, version }) => [id, { status, version }]));
    for (const { jobId, states } of jobs) {
      const state = states.at(-1)!;
      expect(shown.get(jobId)).toEqual({ status: state.status, version: versionOf(state) });
    }
  });

  const waiting = (deploymentId: string, accountId: string | null): number =>
    jobs.filter(
      (job) =>
        job.deploymentId === deploymentId &&
        (accountId === null || job.accountId === accountId) &&
        job.states.at(-1)!.status === 'queued',
    ).length;

  /** An account that is new to its deployment would be decided later than the rest of its batch. */
  async function opened(deployment: DeploymentId): Promise<DeploymentId> {
    const ids = [WHOLE_DEPLOYMENT, ...accounts];
    await db.pool(JOBS_ROLE).query(openAccountSql, [ids.map(() => deployment), ids]);
    return deployment;
  }

  async function submitSome(): Promise<void> {
    const items = Array.from({ length: 1 + Math.floor(random() * 5) }, anItem);
    const answers = await submissions.write(items);
    const leased: { readonly job: Model; readonly plan: ChangePlan; readonly atMs: number }[] = [];
    items.forEach((item, index) => {
      const answer = answers[index]!;
      verdicts.add(answer.kind);
      expect(answer).toEqual(judged(item, answer, items.find(({ lease }) => lease !== null) === item));
      if (answer.kind !== 'created') return;
      if (item.key !== null) held.add(`${item.accountId} ${item.key}`);
      const plan = planChange(initial, [submission(item)], newUuid);
      const recordedAt = new Date(answer.createdAtMs).toISOString();
      const job: Model = { ...idsOf(item), states: [...foldRecorded(plan, recordedAt)] };
      jobs.push(job);
      if (typeof answer.leasedAtMs === 'number') leased.push({ job, plan: item.lease!.plan, atMs: answer.leasedAtMs });
    });
    // After the whole batch was decided: items behind a leased job saw it as waiting.
    for (const { job, plan, atMs } of leased) {
      verdicts.add('leased at once');
      const before = job.states.at(-1)!;
      job.states.push(...foldRecorded({ ...plan, before }, new Date(atMs).toISOString()));
    }
  }

  /** The complete rule: a used key, then the queue limits, then the position behind all waiting jobs. */
  function judged(item: SubmissionItem, answer: BatchVerdict, mayBeLeased: boolean): BatchVerdict {
    const { accountId, deploymentId, key } = item;
    if (key !== null && held.has(`${accountId} ${key}`)) return { kind: 'key_reuse' };
    const [ofAccount, ofAll] = [waiting(deploymentId, accountId), waiting(deploymentId, null)];
    if (ofAccount >= ROOM.queueDepthAccount || ofAll >= ROOM.queueDepth) return { kind: 'queue_full' };
    const times = answer.kind === 'created' ? answer : { createdAtMs: NaN, leasedAtMs: NaN };
    const leasedAtMs = mayBeLeased && ofAll === 0 ? (times.leasedAtMs ?? NaN) : null;
    return {
      kind: 'created',
      createdAtMs: times.createdAtMs,
      position: ofAll + 1,
      rank: ofAccount + 1,
      leasedAtMs,
    };
  }

  async function changeSome(): Promise<void> {
    const open = jobs.filter(({ states }) => states.at(-1)!.status === 'queued' || isLeased(states.at(-1)!));
    const chosen = open.filter(() => random() < 0.5).flatMap((job) => aChange(job));
    const answers = await changes.write(chosen.map(({ item }) => item));
    chosen.forEach(({ job, item }, index) => {
      const answer = answers[index]!;
      verdicts.add(answer.kind);
      const isStale = item.plan.before !== job.states.at(-1);
      expect(answer.kind).toBe(isStale ? 'conflict' : 'committed');
      if (answer.kind === 'committed') job.states.push(...foldRecorded(item.plan, answer.recordedAt));
    });
  }

  /** Decides on the job's current state or, sometimes, on an earlier one. */
  function aChange(job: Model): readonly { readonly job: Model; readonly item: CommitItem }[] {
    const state = random() < 0.85 ? job.states.at(-1)! : pick(job.states);
    const sequence = Math.floor(random() * 1_000_000) + 1;
    const { text, decide, workerSequence } = randomCommand(random, state, sequence);
    const plan = planChange(state, text === 'purge' ? [] : [{ decide, workerSequence, correlation: text }], newUuid);
    const { jobId, accountId, deploymentId } = job;
    return plan.events.length === 0 ? [] : [{ job, item: { jobId, accountId, deploymentId, plan } }];
  }

  function idsOf({ jobId, accountId, deploymentId }: SubmissionItem): Omit<Model, 'states'> {
    return { jobId, accountId, deploymentId };
  }

  function submission({ key }: SubmissionItem): Parameters<typeof planChange>[1][number] {
    const { retentionMs, maxQueueWaitMs } = settings;
    const data = { ...submittedJob.data, idempotencyKey: key, retentionMs, maxQueueWaitMs };
    return { decide: (job) => submitJob(job, data), workerSequence: null, correlation: 'request' };
  }

  function anItem(): SubmissionItem {
    const head = {
      jobId: newUuid() as JobId,
      accountId: pick(accounts),
      deploymentId: pick(deployments),
      revision: 0,
      key: random() < 0.5 ? null : `key-${Math.floor(random() * 40)}`,
      hash: Buffer.alloc(32),
    };
    const shape = {
      metadata: '{}',
      labels: null,
      correlation: 'request',
      traceparent: null,
      workflow: Buffer.from('{}'),
      terms: null,
    };
    const bare: SubmissionItem = {
      ...head,
      ...shape,
      eventId: newUuid(),
      event: Buffer.alloc(0),
      lease: null,
      sealed: null,
    };
    const { events, after } = planChange(initial, [submission(bare)], newUuid);
    const offer = { workerId: 'w', environment: 'e', revision: 0, maxRuntimeMs: 60_000, hasCredentials: false };
    const step = { decide: (job: JobState) => leaseJob(job, offer), workerSequence: null, correlation: 'w' };
    const lease = random() < 0.4 ? { ...idsOf(bare), plan: planChange(after, [step], newUuid) } : null;
    return { ...bare, event: Buffer.from(encodeJobEvent(events[0]!.event)), lease };
  }
});
