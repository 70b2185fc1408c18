import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobView, LiveItem, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import {
  leased,
  dropConsistent,
  openDatabase,
  openJobs,
  outputOf,
  progressOf,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import { IngestReportsHandler } from './ingest-reports.handler.js';
import type { OpenJobs, ReportBy } from '../jobs-under-test/open-jobs.fixture.js';

describe('what a worker reports', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  const metrics = new MetricsRegistry();
  const live: LiveItem[] = [];
  beforeAll(async () => {
    db = await openDatabase();
    // No lease expires here, even if a thousand outputs are slow.
    one = await openJobs(db, { leaseMs: 600_000 }, { metrics, feed: { publish: (_, item) => live.push(item) } });
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
  });

  const viewOf = async (me: Principal, { id }: Pick<JobView, 'id'>): Promise<JobView> =>
    valueOf(await one.jobs.get(me, id));
  const output = (key: string) => ({ kind: 'output_committed', output: outputOf(key) }) as const;
  const progress = (value: number) => ({ kind: 'progress', progress: progressOf(value) }) as const;

  it('shows progress and outputs while the job runs, and its end', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const lease = await leased(one, me);
    await one.leases.ingest([reportOf(lease, 1, progress(0.25)), reportOf(lease, 1, output('9/0/0'))]);
    const running = await viewOf(me, job);
    expect(running).toMatchObject({ status: 'running', progress: { value: 0.25 }, version: 3 });
    expect(running.outputs.map((one) => one.key)).toEqual(['9/0/0']);
    await one.leases.ingest([reportOf(lease, 2, succeeded)]);
    expect(await viewOf(me, job)).toMatchObject({
      status: 'succeeded',
      progress: { value: 1 },
      version: 4,
      error: null,
    });
  });

  it('changes no job of another deployment, whatever worker it names itself', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const lease = await leased(one, me);
    const { jobId, fence } = lease;
    const report = { jobId, fence, sequence: 1, ...succeeded };
    const ingest = one.get(IngestReportsHandler);
    const { deploymentId } = someAccount();
    const foreign = { workerId: 'worker-a', deploymentId, revision: 0, environment: 'builtin' };
    expect(await ingest.handle(foreign, [report])).toEqual(['stale_fence']);
    expect(await viewOf(me, job)).toMatchObject({ status: 'running' });
    expect(await ingest.handle({ ...foreign, deploymentId: me.deploymentId }, [report])).toEqual(['stored']);
  });

  it('publishes committed events to this process in version order, outputs before the end', async () => {
    const me = someAccount();
    live.length = 0;
    const { id } = await submitted(one, me);
    const lease = await leased(one, me);
    await one.leases.ingest([reportOf(lease, 1, output('9/0/0')), reportOf(lease, 2, succeeded)]);
    const heard = live.flatMap((item) => (item.kind === 'job' && item.message.jobId === id ? [item.message] : []));
    expect(heard.map(({ version, type, status }) => [version, type, status])).toEqual([
      [1, 'JobSubmitted', 'queued'],
      [2, 'JobLeased', 'running'],
      [3, 'OutputCommitted', 'running'],
      [4, 'JobSucceeded', 'succeeded'],
    ]);
  });

  it('is applied once, however often it is delivered', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const lease = await leased(one, me);
    const reports = [
      reportOf(lease, 1, output('9/0/0')),
      reportOf(lease, 2, output('9/0/0')),
      reportOf(lease, 3, output('9/0/1')),
    ];
    for (let again = 0; again < 3; again++) await one.leases.ingest(reports);
    await Promise.all(reports.map(async (report) => await one.leases.ingest([report])));
    const view = await viewOf(me, job);
    expect([view.outputs.map((one) => one.key), view.version]).toEqual([['9/0/0', '9/0/1'], 4]);
  });

  it('keeps only the newest progress, and never shows less than before', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const lease = await leased(one, me);
    await one.leases.ingest([reportOf(lease, 2, progress(0.5))]);
    await one.leases.ingest([reportOf(lease, 1, progress(0.9))]);
    expect((await viewOf(me, job)).progress?.value).toBe(0.5);
    await one.leases.ingest([reportOf(lease, 3, progress(0.4))]);
    expect((await viewOf(me, job)).progress?.value).toBe(0.5);
  });

  it('changes nothing under a stale fence, whatever the old worker says and whenever', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const stale = await leased(one, me, 'worker-a');
    const late: readonly ReportBy[] = [
      reportOf(stale, 7, progress(0.99)),
      reportOf(stale, 5, output('9/0/7')),
      reportOf(stale, 6, { kind: 'log_captured', sizeBytes: 1, truncated: false }),
      reportOf(stale, 7, { ...succeeded, outcome: { kind: 'lost', reason: 'late' } }),
    ];
    const unchanged = async (): Promise<void> => {
      const before = await viewOf(me, job);
      await one.leases.ingest(late);
      expect(await viewOf(me, job)).toEqual(before);
    };
    await one.leases.ingest([reportOf(stale, 1, output('9/0/0')), reportOf(stale, 1, progress(0.3))]);
    await one.leases.handBack('worker-a', stale);
    await unchanged();
    const lease = await leased(one, me, 'worker-b');
    expect([lease.fence, lease.progressFloor]).toEqual([2, 0.3]);
    await unchanged();
    await one.leases.ingest([
      reportOf(lease, 1, output('9/0/0'), 'worker-b'),
      reportOf(lease, 2, output('9/0/1'), 'worker-b'),
    ]);
    await unchanged();
    await one.jobs.cancel(me, job.id);
    await unchanged();
    const canceled = { ...succeeded, outcome: { kind: 'canceled' } } as const;
    await one.leases.ingest([reportOf(lease, 3, canceled, 'worker-b')]);
    await unchanged();
    expect(await viewOf(me, job)).toMatchObject({ status: 'canceled', outputs: [{ key: '9/0/0' }, { key: '9/0/1' }] });
  });

  it('drops what is malformed or of an unknown job, and takes the rest', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const lease = await leased(one, me);
    const bad = { ...reportOf(lease, 1, output('9/0/0')), output: { key: 5 } } as unknown as ReportBy;
    const worse = { ...reportOf(lease, 1, progress(0.5)), progress: null } as unknown as ReportBy;
    const unknown = { ...reportOf(lease, 1, output('9/0/0')), jobId: me.accountId } as unknown as ReportBy;
    await one.leases.ingest([bad, worse, unknown, reportOf(lease, 2, output('9/0/1'))]);
    expect((await viewOf(me, job)).outputs.map((one) => one.key)).toEqual(['9/0/1']);
    expect(await metrics.metrics()).toContain('heddle_worker_events_dropped_total{reason="malformed"} 2');
  });

  it('ends a job with its error, and keeps odd texts of nodes', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const lease = await leased(one, me);
    const nodeId = '\u0000"\ud800';
    const outcome = {
      kind: 'failed',
      code: 'node_execution_error',
      message: 'bad \u0000 picture',
      nodeId,
      classType: 'LoadImage',
      traceback: 'x'.repeat(300_000),
    } as const;
    await one.leases.ingest([
      reportOf(lease, 1, output(`${nodeId}/0/0`)),
      reportOf(lease, 2, { kind: 'outcome', outcome, progress: progressOf(0.5) }),
    ]);
    const view = await viewOf(me, job);
    expect(view).toMatchObject({
      status: 'failed',
      error: { code: 'node_execution_error', nodeId, message: 'bad \u0000 picture' },
    });
    expect([view.outputs[0]?.key, view.error?.traceback?.length]).toEqual([`${nodeId}/0/0`, 262_144]);
  });

  it('ends with output_limit at one output too many', async () => {
    const me = someAccount();
    const job = await submitted(one, me);
    const lease = await leased(one, me);
    const reports = Array.from({ length: 1_001 }, (_, index) => reportOf(lease, index + 1, output(`9/0/${index}`)));
    for (let at = 0; at < reports.length; at += 100) await one.leases.ingest(reports.slice(at, at + 100));
    const view = await viewOf(me, job);
    expect([view.status, view.error?.code, view.outputs.length]).toEqual(['failed', 'output_limit', 1_000]);
  });
});
