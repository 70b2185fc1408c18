import { describe, expect, it } from 'vitest';
import type { DurableReport, JobLease, ReportVerdict, WorkSession } from '@heddle/contracts-messages';
import { WorkerSettings } from '../settings.js';
import { LeaseReporter } from './lease-reporter.js';

const PROGRESS = {
  value: 1,
  nodesDone: 3,
  nodesTotal: 3,
  currentNode: null,
  currentNodeClass: null,
  step: null,
  steps: null,
  message: null,
};

/** A jobs service that stores each delivery when the test allows it, or cannot store it. */
class HeldJobs {
  readonly deliveries: string[][] = [];
  readonly #gates: { open: (verdicts: readonly ReportVerdict[]) => void; fail: () => void; count: number }[] = [];

  report(reports: readonly DurableReport[]): Promise<readonly ReportVerdict[]> {
    this.deliveries.push(reports.map(({ sequence }) => `${sequence}`));
    return new Promise((open, fail) => {
      this.#gates.push({ open, fail: () => fail(new Error('away')), count: reports.length });
    });
  }

  async next(verdict: ReportVerdict | 'away' = 'stored'): Promise<void> {
    const gate = this.#gates.shift();
    if (verdict === 'away') gate?.fail();
    else gate?.open(Array.from({ length: gate.count }, () => verdict));
    await turn();
  }
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

function reporterOver(jobs: HeldJobs): LeaseReporter {
  const lease = { jobId: 'job', fence: 1 } as unknown as JobLease;
  return new LeaseReporter(jobs as unknown as WorkSession, lease, new WorkerSettings());
}

const nodeFinished = (reporter: LeaseReporter, nodeId: string): void =>
  reporter.durable({
    kind: 'node_finished',
    nodeId,
    classType: 'PreviewAny',
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:01.000Z',
    cached: false,
  });

const outputCommitted = (reporter: LeaseReporter, key: string): void =>
  reporter.durable({ kind: 'output_committed', output: { key } } as never);

describe('durable reports of a lease', () => {
  it('go together when they gather while one is under way, in their order, the outcome last', async () => {
    const jobs = new HeldJobs();
    const reporter = reporterOver(jobs);
    outputCommitted(reporter, '1/images/0');
    await turn();
    nodeFinished(reporter, '2');
    nodeFinished(reporter, '3');
    const over = reporter.outcome({ kind: 'succeeded' }, PROGRESS);
    expect(jobs.deliveries).toEqual([['1']]);
    await jobs.next();
    expect(jobs.deliveries).toEqual([['1'], ['2', '3', '4']]);
    await jobs.next();
    await over;
  });

  it('of nodes that ended wait for the next output or the outcome, and go before it', async () => {
    const jobs = new HeldJobs();
    const reporter = reporterOver(jobs);
    nodeFinished(reporter, '1');
    await turn();
    expect(jobs.deliveries).toEqual([]);
    outputCommitted(reporter, '2/images/0');
    await turn();
    expect(jobs.deliveries).toEqual([['1', '2']]);
    await jobs.next();
    nodeFinished(reporter, '2');
    const over = reporter.outcome({ kind: 'succeeded' }, PROGRESS);
    await turn();
    expect(jobs.deliveries).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    await jobs.next();
    await over;
  });

  it('of the last outputs, stored after the engine was done, go with the outcome', async () => {
    const jobs = new HeldJobs();
    const reporter = reporterOver(jobs);
    nodeFinished(reporter, '1');
    reporter.ranToEnd();
    outputCommitted(reporter, '1/images/0');
    outputCommitted(reporter, '1/images/1');
    await turn();
    expect(jobs.deliveries).toEqual([]);
    const over = reporter.outcome({ kind: 'succeeded' }, PROGRESS);
    await turn();
    expect(jobs.deliveries).toEqual([['1', '2', '3', '4']]);
    await jobs.next();
    await over;
  });

  it('of nodes that ended do not wait longer than a moment', async () => {
    const jobs = new HeldJobs();
    nodeFinished(reporterOver(jobs), '1');
    await expect.poll(() => jobs.deliveries, { timeout: 10_000 }).toEqual([['1']]);
  });

  it('are repeated, all of them and in their order, until they are stored', async () => {
    const jobs = new HeldJobs();
    const reporter = reporterOver(jobs);
    outputCommitted(reporter, '1/images/0');
    await turn();
    outputCommitted(reporter, '2/images/0');
    let isOver = false;
    const over = reporter.outcome({ kind: 'succeeded' }, PROGRESS).then(() => (isOver = true));
    await jobs.next('away');
    await expect.poll(() => jobs.deliveries, { timeout: 10_000 }).toEqual([['1'], ['1']]);
    await jobs.next();
    expect(jobs.deliveries).toEqual([['1'], ['1'], ['2', '3']]);
    expect(isOver).toBe(false);
    await jobs.next();
    await over;
    expect(reporter.refusal).toBeNull();
  });

  it('that are refused are not repeated, and the refusal is known', async () => {
    const jobs = new HeldJobs();
    const reporter = reporterOver(jobs);
    const over = reporter.outcome({ kind: 'succeeded' }, PROGRESS);
    await turn();
    await jobs.next('stale_fence');
    await over;
    expect([jobs.deliveries, reporter.refusal]).toEqual([[['1']], 'stale_fence']);
  });

  it('are not sent any more once the lease is lost, and nobody waits for an answer', async () => {
    const jobs = new HeldJobs();
    const reporter = reporterOver(jobs);
    outputCommitted(reporter, '1/images/0');
    await turn();
    nodeFinished(reporter, '2');
    reporter.abandon();
    await reporter.flush();
    expect(jobs.deliveries).toEqual([['1']]);
  });
});
