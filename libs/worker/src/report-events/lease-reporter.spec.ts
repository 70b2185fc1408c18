import { describe, expect, it } from 'vitest';
import type { JobLease, LeasesPort, WorkerEvent } from '@heddle/contracts-messages';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import { WORKER_DEFAULTS } from '../worker-settings.js';
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

/** A bus whose every publication waits until it is let through, or fails. */
class HeldBus {
  readonly batches: string[][] = [];
  #gates: { open: () => void; fail: () => void }[] = [];

  publish(_: string, messages: readonly BusMessage[]): Promise<void> {
    this.batches.push(messages.map(({ payload }) => `${(payload as WorkerEvent).sequence}`));
    return new Promise((done, fail) => this.#gates.push({ open: done, fail: () => fail(new Error('away')) }));
  }

  async next(how: 'open' | 'fail' = 'open'): Promise<void> {
    this.#gates.shift()?.[how]();
    await new Promise((done) => setImmediate(done));
  }
}

function reporterOver(bus: HeldBus, ingested: string[][] = []): LeaseReporter {
  const lease = { jobId: 'job', accountId: 'account', deploymentId: 'd', fence: 1, traceparent: null };
  const ingest = async (events: readonly WorkerEvent[]): Promise<void> =>
    void ingested.push(events.map(({ sequence }) => String(sequence)));
  const leases = { ingest } as unknown as LeasesPort;
  return new LeaseReporter(
    bus as unknown as MessageBus,
    leases,
    lease as unknown as JobLease,
    'worker',
    WORKER_DEFAULTS,
  );
}

const nodeFinished = (reporter: LeaseReporter, nodeId: string): void =>
  reporter.durable({
    kind: 'node_finished',
    nodeId,
    classType: 'PreviewAny',
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:01.000Z',
    cached: false,
  } as never);

const outputCommitted = (reporter: LeaseReporter, key: string): void =>
  reporter.durable({ kind: 'output_committed', output: { key } } as never);

describe('durable reports of a lease', () => {
  it('go together when they gather while one is under way, in their order, the outcome last', async () => {
    const bus = new HeldBus();
    const reporter = reporterOver(bus);
    outputCommitted(reporter, '1/images/0');
    await new Promise((done) => setImmediate(done));
    nodeFinished(reporter, '2');
    nodeFinished(reporter, '3');
    const over = reporter.outcome({ kind: 'succeeded' }, PROGRESS);
    expect(bus.batches).toEqual([['1']]);
    await bus.next();
    expect(bus.batches).toEqual([['1'], ['2', '3', '4']]);
    await bus.next();
    await over;
  });

  it('of nodes that ended wait for the next output or the outcome, and go before it', async () => {
    const bus = new HeldBus();
    const reporter = reporterOver(bus);
    nodeFinished(reporter, '1');
    await new Promise((done) => setImmediate(done));
    expect(bus.batches).toEqual([]);
    outputCommitted(reporter, '2/images/0');
    await new Promise((done) => setImmediate(done));
    expect(bus.batches).toEqual([['1', '2']]);
    await bus.next();
    nodeFinished(reporter, '2');
    const over = reporter.outcome({ kind: 'succeeded' }, PROGRESS);
    await new Promise((done) => setImmediate(done));
    expect(bus.batches).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    await bus.next();
    await over;
  });

  it('of the last outputs, stored after the engine was done, go with the outcome', async () => {
    const bus = new HeldBus();
    const reporter = reporterOver(bus);
    nodeFinished(reporter, '1');
    reporter.ranToEnd();
    outputCommitted(reporter, '1/images/0');
    outputCommitted(reporter, '1/images/1');
    await new Promise((done) => setImmediate(done));
    expect(bus.batches).toEqual([]);
    const over = reporter.outcome({ kind: 'succeeded' }, PROGRESS);
    await new Promise((done) => setImmediate(done));
    expect(bus.batches).toEqual([['1', '2', '3', '4']]);
    await bus.next();
    await over;
  });

  it('of nodes that ended do not wait longer than a moment', async () => {
    const bus = new HeldBus();
    nodeFinished(reporterOver(bus), '1');
    await expect.poll(() => bus.batches, { timeout: 10_000 }).toEqual([['1']]);
  });

  it('go by the direct call, all of them, where the bus takes them not', async () => {
    const bus = new HeldBus();
    const ingested: string[][] = [];
    const reporter = reporterOver(bus, ingested);
    nodeFinished(reporter, '1');
    outputCommitted(reporter, '2/images/0');
    await new Promise((done) => setImmediate(done));
    await bus.next('fail');
    await reporter.flush();
    expect(bus.batches).toEqual([['1', '2']]);
    expect(ingested).toEqual([['1', '2']]);
  });

  it('are not sent any more once the lease is lost', async () => {
    const bus = new HeldBus();
    const reporter = reporterOver(bus);
    outputCommitted(reporter, '1/images/0');
    await new Promise((done) => setImmediate(done));
    nodeFinished(reporter, '2');
    reporter.abandon();
    await bus.next();
    await reporter.flush();
    expect(bus.batches).toEqual([['1']]);
  });
});
