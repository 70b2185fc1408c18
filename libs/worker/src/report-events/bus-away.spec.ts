import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WORKER_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { JobLease, LeasesPort, WorkerEvent } from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { BusMessage, BusSubscription, MessageBus } from '@heddle/platform-message-bus';
import { WORKER_DEFAULTS } from '../worker-settings.js';
import { LeaseReporter } from './lease-reporter.js';

const PATIENCE_MS = 200;

/** A real bus that may be out of reach: publications fail, or wait until it is back and arrive then. */
class UnsteadyBus implements MessageBus {
  readonly #bus = new MemoryMessageBus();
  #fault: 'refuses' | 'silent' | null = null;
  #back: () => void = () => undefined;
  #whenBack = Promise.resolve();
  attempts = 0;

  goAway(fault: 'refuses' | 'silent'): void {
    this.#fault = fault;
    this.#whenBack = new Promise((resolve) => (this.#back = resolve));
  }

  comeBack(): void {
    this.#fault = null;
    this.#back();
  }

  async publish(topic: string, messages: readonly BusMessage[]): Promise<void> {
    this.attempts += 1;
    if (this.#fault === 'refuses') throw new Error('no broker');
    if (this.#fault === 'silent') await this.#whenBack;
    await this.#bus.publish(topic, messages);
  }

  subscribe(...parts: Parameters<MessageBus['subscribe']>): Promise<BusSubscription> {
    return this.#bus.subscribe(...parts);
  }

  close(): Promise<void> {
    return this.#bus.close();
  }
}

describe('a worker whose bus is away', () => {
  const byBus: number[] = [];
  const directly: number[] = [];
  let bus: UnsteadyBus;
  let reporter: LeaseReporter;
  /** How many direct calls fail from now on. */
  let refusals = 0;

  beforeEach(async () => {
    byBus.length = directly.length = refusals = 0;
    bus = new UnsteadyBus();
    await bus.subscribe(WORKER_EVENTS_TOPIC, 'test', async (batch) => {
      byBus.push(...batch.map(({ payload }) => (payload as WorkerEvent).sequence));
    });
    const ingest = async (events: readonly WorkerEvent[]): Promise<void> => {
      if ((refusals -= 1) >= 0) throw new Error('the jobs service is away');
      directly.push(...events.map(({ sequence }) => sequence));
    };
    const lease = { jobId: 'job', accountId: 'account', deploymentId: 'd', fence: 1, traceparent: null };
    reporter = new LeaseReporter(bus, { ingest } as unknown as LeasesPort, lease as unknown as JobLease, 'worker', {
      ...WORKER_DEFAULTS,
      busPatienceMs: PATIENCE_MS,
    });
  });
  afterEach(async () => {
    reporter.abandon();
    bus.comeBack();
    await bus.close();
  });

  const outputStored = async (key: string): Promise<void> => {
    reporter.durable({ kind: 'output_committed', output: { key } } as never);
    await reporter.flush();
  };

  it('tells jobs directly what the bus refuses, and goes on by the bus once it is back', async () => {
    bus.goAway('refuses');
    await outputStored('1/images/0');
    expect([byBus, directly]).toEqual([[], [1]]);
    bus.comeBack();
    await outputStored('2/images/0');
    expect([byBus, directly]).toEqual([[2], [1]]);
  });

  it('waits for a silent bus once, not with each report', async () => {
    bus.goAway('silent');
    const began = performance.now();
    await outputStored('1/images/0');
    expect(performance.now() - began).toBeGreaterThanOrEqual(PATIENCE_MS - 5);
    const waits: number[] = [];
    for (const key of ['2', '3', '4', '5', '6', '7', '8', '9']) {
      const told = performance.now();
      await outputStored(`${key}/images/0`);
      waits.push(performance.now() - told);
    }
    // A busy machine lengthens some of them.
    expect(waits.filter((ms) => ms < PATIENCE_MS).length, `${waits.join()} ms`).toBeGreaterThan(4);
    expect(directly).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(byBus).toEqual([]);
  });

  it('hears that the bus is back from the publication that arrives late', async () => {
    bus.goAway('silent');
    await outputStored('1/images/0');
    bus.comeBack();
    await expect.poll(() => byBus, { timeout: 10_000 }).toEqual([1]);
    await outputStored('2/images/0');
    expect([byBus, directly]).toEqual([[1, 2], [1]]);
  });

  it('repeats while jobs is away as well, and keeps the order', async () => {
    bus.goAway('refuses');
    refusals = 2;
    const first = outputStored('1/images/0');
    await expect.poll(() => refusals, { timeout: 10_000 }).toBeLessThan(2);
    reporter.durable({ kind: 'output_committed', output: { key: '2/images/0' } } as never);
    await first;
    await reporter.flush();
    expect(directly).toEqual([1, 2]);
    expect(bus.attempts).toBe(4);
  });

  it('gives up with the lease', async () => {
    bus.goAway('refuses');
    refusals = Infinity;
    const telling = outputStored('1/images/0');
    await expect.poll(() => bus.attempts, { timeout: 10_000 }).toBeGreaterThan(1);
    reporter.abandon();
    await Promise.race([telling, delay(20_000).then(() => Promise.reject(new Error('it still repeats')))]);
    expect(directly).toEqual([]);
  });
});
