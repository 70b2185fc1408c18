import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId, JobLease, Principal, TaskId } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import { checkCredits } from './check-credits.js';
import { creditsOf, outcomeOf, priced, sumsOf, taskCreditsOf } from '../jobs-under-test/credits.fixture.js';
import {
  dropConsistent,
  leaseRequest,
  openDatabase,
  openJobs,
  reportOf,
  submissionOf,
  succeeded,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const STEPS = 350;
const RUNTIME_S = 100;
const QUEUE_DEPTH = 20;
const TOGETHER = 8;

/** In millionths, so that the model does no arithmetic of fractions. */
interface Price {
  readonly perJob: number;
  readonly perSecond: number;
}

interface ModelJob {
  readonly owner: Principal;
  readonly price: Price;
  readonly reserved: number;
}

interface ModelTask {
  readonly accountId: AccountId;
  readonly amount: number;
  /** Null: it is under way. */
  charged: number | null;
}

/** How an end is charged, as the decisions list it. */
const ENDS = [
  ['succeeded', { kind: 'succeeded' }, true, true],
  ['node_execution_error', failure('node_execution_error'), false, true],
  ['engine_error', failure('engine_error'), false, false],
] as const;

function failure(code: 'node_execution_error' | 'engine_error') {
  return { kind: 'failed', code, message: 'x', nodeId: null, classType: null, traceback: null } as const;
}

describe(`credits over a random run (seed ${seed})`, () => {
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const below = (limit: number): number => Math.floor(random() * limit);
  const accounts = Array.from({ length: 3 }, () => newUuid() as AccountId);
  const deployments = Array.from({ length: 2 }, () => newUuid() as DeploymentId);
  const balances = new Map(
    accounts.map((id) => [id, { balance: 0, reserved: 0, granted: 0, charged: 0, withdrawn: 0 }]),
  );
  const prices = new Map(deployments.map((id) => [id, { perJob: 0, perSecond: 0 }]));
  const open = new Map<JobId, ModelJob>();
  const tasks = new Map<TaskId, ModelTask>();
  const leases: { readonly workerId: string; readonly lease: JobLease }[] = [];
  const seen = new Set<string>();
  let db: TestDatabase;
  let replicas: readonly OpenJobs[];
  beforeAll(async () => {
    db = await openDatabase();
    const settings = {
      maxRuntimeMs: RUNTIME_S * 1_000,
      leaseMs: 1e9,
      sweepIntervalMs: 600_000,
      queueDepthAccount: QUEUE_DEPTH,
    };
    replicas = [await openJobs(db, settings), await openJobs(db, settings)];
  });
  afterAll(async () => {
    for (const one of replicas) await one.close();
    await dropConsistent(db);
  });

  it('are those of a model, whatever is done, and the check agrees', { timeout: 120_000 }, async () => {
    for (let step = 0; step < STEPS; step += 1) {
      await pick([
        changeBalance,
        changeBalance,
        setPrice,
        submit,
        submit,
        submit,
        submitTogether,
        lease,
        lease,
        end,
        end,
        cancel,
        wait,
        reserveTask,
        reserveTask,
        settleTask,
        settleTask,
        repeatTask,
      ])();
      if (step % 10 === 0) await compare();
    }
    await compare();
    expect([...seen].sort()).toEqual(
      expect.arrayContaining(['canceled', 'insufficient_credits', 'no task', 'succeeded', 'task', 'together']),
    );
    expect(await checkCredits(db.pool(JOBS_ROLE))).toMatchObject({ problems: [] });
  });

  async function compare(): Promise<void> {
    for (const [accountId, sums] of balances) {
      expect(await sumsOf(pick(replicas), { accountId, deploymentId: deployments[0]! })).toEqual(sums);
    }
  }

  async function changeBalance(): Promise<void> {
    const accountId = pick(accounts);
    const sums = balances.get(accountId)!;
    const amount = 1 + below(200);
    const isGrant = random() < 0.7;
    const credits = creditsOf(pick(replicas));
    const { ok } = await credits[isGrant ? 'grant' : 'withdraw'](accountId, { amount, note: null });
    expect(ok).toBe(isGrant || amount <= sums.balance);
    if (!ok) return;
    sums.balance += isGrant ? amount : -amount;
    if (isGrant) sums.granted += amount;
    else sums.withdrawn += amount;
  }

  async function setPrice(): Promise<void> {
    const deploymentId = pick(deployments);
    const price = random() < 0.2 ? { perJob: 0, perSecond: 0 } : { perJob: below(4), perSecond: below(1_000_000) };
    prices.set(deploymentId, price);
    const owner = { accountId: pick(accounts), deploymentId };
    await priced(pick(replicas), owner, { perJob: price.perJob, perSecond: price.perSecond / 1e6 });
  }

  async function submit(): Promise<void> {
    const owner = { accountId: pick(accounts), deploymentId: pick(deployments) };
    const price = prices.get(owner.deploymentId)!;
    const reserved = price.perJob + Math.ceil((price.perSecond * RUNTIME_S) / 1e6);
    const sums = balances.get(owner.accountId)!;
    const submission = submissionOf();
    const answer = await pick(replicas).jobs.submit(owner, submission);
    const code = answer.ok ? 'accepted' : answer.rejection.code;
    seen.add(code);
    if (code === 'queue_full') return;
    expect(code).toBe(reserved <= sums.balance ? 'accepted' : 'insufficient_credits');
    if (!answer.ok) return;
    sums.balance -= reserved;
    sums.reserved += reserved;
    open.set(submission.jobId, { owner, price, reserved });
  }

  /** At once, at both replicas: as many are accepted as the balance pays for. */
  async function submitTogether(): Promise<void> {
    const owner = { accountId: pick(accounts), deploymentId: pick(deployments) };
    const price = prices.get(owner.deploymentId)!;
    const reserved = price.perJob + Math.ceil((price.perSecond * RUNTIME_S) / 1e6);
    const sums = balances.get(owner.accountId)!;
    const waiting = [...open.values()].filter(({ owner: { accountId } }) => accountId === owner.accountId).length;
    if (reserved === 0 || waiting + TOGETHER > QUEUE_DEPTH) return;
    seen.add('together');
    const submissions = Array.from({ length: TOGETHER }, () => submissionOf());
    const answers = await Promise.all(submissions.map((one, at) => replicas[at % 2]!.jobs.submit(owner, one)));
    const accepted = submissions.filter((_, at) => answers[at]!.ok);
    expect(accepted).toHaveLength(Math.min(TOGETHER, Math.floor(sums.balance / reserved)));
    sums.balance -= accepted.length * reserved;
    sums.reserved += accepted.length * reserved;
    for (const { jobId } of accepted) open.set(jobId, { owner, price, reserved });
  }

  async function lease(): Promise<void> {
    const deploymentId = pick(deployments);
    const leased = new Set(leases.map((held) => held.lease.jobId));
    const waiting = [...open].some(([id, { owner }]) => owner.deploymentId === deploymentId && !leased.has(id));
    if (!waiting) return;
    const workerId = `worker ${leases.length} ${newUuid()}`;
    const request = leaseRequest({ accountId: accounts[0]!, deploymentId }, workerId);
    const [taken] = await replicas[0]!.leases.acquire(request, new AbortController().signal);
    leases.push({ workerId, lease: taken! });
  }

  async function end(): Promise<void> {
    const at = below(leases.length);
    const [held] = leases.splice(at, 1);
    if (held === undefined) return;
    const [name, outcome, byJob, bySeconds] = pick(ENDS);
    seen.add(name);
    await replicas[0]!.leases.ingest([reportOf(held.lease, 1, { ...succeeded, outcome }, held.workerId)]);
    const { rows } = await db.owner.query<{ ms: string }>(
      `select round(1000 * extract(epoch from max(recorded_at) - max(recorded_at) filter (where type = 'JobLeased'))) as ms
       from jobs.event where stream_id = $1`,
      [held.lease.jobId],
    );
    const { price } = open.get(held.lease.jobId)!;
    const micros = price.perSecond * Math.min(Number(rows[0]!.ms), RUNTIME_S * 1_000);
    settle(held.lease.jobId, (byJob ? price.perJob : 0) + (bySeconds ? Math.ceil(micros / 1e9) : 0));
  }

  /** Of a waiting job: nothing is charged. */
  async function cancel(): Promise<void> {
    const leased = new Set(leases.map((held) => held.lease.jobId));
    const jobId = pick([...open.keys()].filter((id) => !leased.has(id)));
    if (jobId === undefined) return;
    seen.add('canceled');
    await pick(replicas).jobs.cancel(open.get(jobId)!.owner, jobId);
    settle(jobId, 0);
  }

  async function wait(): Promise<void> {
    await db.advanceClock(below(40_000));
  }

  async function reserveTask(): Promise<void> {
    const [accountId, taskId, amount] = [pick(accounts), newUuid() as TaskId, 1 + below(60)];
    const sums = balances.get(accountId)!;
    const outcome = outcomeOf(await taskCreditsOf(pick(replicas)).reserve({ accountId, taskId, amount }));
    expect(outcome).toBe(amount <= sums.balance ? 'reserved' : 'uncovered');
    seen.add(outcome === 'reserved' ? 'task' : 'no task');
    if (outcome !== 'reserved') return;
    sums.balance -= amount;
    sums.reserved += amount;
    tasks.set(taskId, { accountId, amount, charged: null });
  }

  /** In part, in full or not at all, and more often than once at a time. */
  async function settleTask(): Promise<void> {
    const [taskId, task] = pick([...tasks].filter(([, { charged }]) => charged === null)) ?? [];
    if (task === undefined) return;
    const { accountId, amount } = task;
    const charged = pick([0, amount, below(amount + 1)]);
    const answers = await Promise.all(
      replicas.map((one) => taskCreditsOf(one).settle({ accountId, taskId: taskId!, charged })),
    );
    const settled = { kind: 'settled', charged, returned: amount - charged };
    for (const answer of answers) expect(answer).toEqual({ ok: true, value: settled });
    task.charged = charged;
    const sums = balances.get(accountId)!;
    sums.balance += amount - charged;
    sums.reserved -= amount;
    sums.charged += charged;
  }

  /** As a proxy that lost an answer, and as one that confuses tasks: nothing changes. */
  async function repeatTask(): Promise<void> {
    const [taskId, task] = pick([...tasks]) ?? [];
    if (task === undefined) return;
    const { accountId, amount, charged } = task;
    const [port, known] = [taskCreditsOf(pick(replicas)), { accountId, taskId: taskId! }];
    expect(await port.reserve({ ...known, amount })).toEqual({
      ok: true,
      value: { kind: 'reserved', reserved: amount },
    });
    expect(outcomeOf(await port.reserve({ ...known, amount: amount + 1 }))).toBe('invalid_request');
    expect(outcomeOf(await port.settle({ ...known, charged: amount + 1 }))).toBe('invalid_request');
    expect(outcomeOf(await port.settle({ ...known, accountId: newUuid() as AccountId, charged: 0 }))).toBe(
      'nothing_reserved',
    );
    if (charged === null) return;
    expect(outcomeOf(await port.settle({ ...known, charged }))).toBe('settled');
    expect(outcomeOf(await port.settle({ ...known, charged: charged === 0 ? 1 : charged - 1 }))).toBe(
      'invalid_request',
    );
  }

  function settle(jobId: JobId, charged: number): void {
    const { owner, reserved } = open.get(jobId)!;
    const sums = balances.get(owner.accountId)!;
    sums.balance += reserved - charged;
    sums.reserved -= reserved;
    sums.charged += charged;
    open.delete(jobId);
  }
});
