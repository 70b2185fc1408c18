import { describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, DeploymentId, JobId, WorkerEvent } from '@heddle/contracts-messages';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { progressOf } from '../jobs-under-test/open-jobs.fixture.js';
import { ProgressPublisher } from './progress-publisher.js';

const head = { accountId: newUuid() as AccountId, deploymentId: newUuid() as DeploymentId, workerId: 'w', fence: 1 };
const progress = (jobId: string, sequence: number): WorkerEvent => {
  return { ...head, jobId: jobId as JobId, sequence, kind: 'progress', progress: progressOf(0.5) };
};
const preview = (jobId: string, characters: number): WorkerEvent => {
  const picture = { nodeId: '1', contentType: 'image/png', dataBase64: 'x'.repeat(characters) };
  return { ...head, jobId: jobId as JobId, sequence: 1, kind: 'preview', ...picture };
};

/** A bus whose publications end when the test decides. */
class HeldBus {
  readonly published: string[][] = [];
  readonly #gates: { open: () => void; fail: () => void }[] = [];

  publish(_: string, messages: readonly BusMessage[]): Promise<void> {
    this.published.push(messages.map(({ id }) => id));
    return new Promise((open, fail) => this.#gates.push({ open, fail: () => fail(new Error('away')) }));
  }

  async next(how: 'open' | 'fail' = 'open'): Promise<void> {
    this.#gates.shift()?.[how]();
    await new Promise((done) => setImmediate(done));
  }
}

describe('progress and previews on their way to the bus', () => {
  const open = (): { bus: HeldBus; publisher: ProgressPublisher; metrics: MetricsRegistry } => {
    const bus = new HeldBus();
    const metrics = new MetricsRegistry();
    return { bus, metrics, publisher: new ProgressPublisher(bus as unknown as MessageBus, new JobsMetrics(metrics)) };
  };
  const dropped = async (metrics: MetricsRegistry): Promise<string | undefined> =>
    /heddle_worker_events_dropped_total\{reason="bus_away"\} (\d+)/.exec(await metrics.metrics())?.[1];

  it('wait for one publication at a time, and only the newest of each job waits', async () => {
    const { bus, publisher } = open();
    for (const sequence of [1, 2, 3]) publisher.add(progress('job-1', sequence));
    publisher.add(progress('job-2', 1));
    expect(bus.published).toEqual([['job-1:1:progress:1']]);
    await bus.next();
    expect(bus.published[1]).toEqual(['job-1:1:progress:3', 'job-2:1:progress:1']);
  });

  it('hold nobody up while the bus is away, are bounded, and the oldest go', async () => {
    const { bus, publisher, metrics } = open();
    publisher.add(progress('first', 1));
    for (let job = 0; job < 4_100; job += 1) publisher.add(progress(`job-${job}`, 1));
    expect(await dropped(metrics)).toBe('4');
    await bus.next('fail');
    // Messages in flight are lost with the failure; waiting ones are tried.
    expect(await dropped(metrics)).toBe('5');
    expect([bus.published[1]?.length, bus.published[1]?.[0]]).toEqual([4_096, 'job-4:1:progress:1']);
  });

  it('are bounded by their characters too', async () => {
    const { bus, publisher } = open();
    publisher.add(progress('first', 1));
    for (let job = 0; job < 5; job += 1) publisher.add(preview(`job-${job}`, 4 * 1024 ** 2));
    await bus.next();
    expect(bus.published[1]).toEqual([1, 2, 3, 4].map((job) => `job-${job}:1:preview:1`));
  });
});
