import { randomUUID } from 'node:crypto';
import { encodeJobEvent } from '@heddle/jobs-domain';
import type { NodeFinished } from '@heddle/jobs-domain';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { submittedJob } from '../jobs-under-test/submitted-job.fixture.js';
import { JobHoldingsReader } from '../read-holdings/job-holdings.js';
import { JobEventsRelay } from './job-events-relay.js';
import { JobMessages } from './job-messages.js';
import { OlderEnvelopes } from './older-envelopes.js';

const NO_DATABASE = new pg.Pool({ host: '127.0.0.1', port: 1 });
const finishedNode: NodeFinished = {
  type: 'NodeFinished',
  data: { nodeId: '1', classType: 'X', startedAt: '', endedAt: '', cached: false },
};

/** Accepts one publication at a time and fails the one chosen by the test. */
class OneAtATime implements MessageBus {
  readonly taken: string[][] = [];
  readonly messages: BusMessage[] = [];
  underWay = 0;
  mostUnderWay = 0;

  constructor(private readonly failing = -1) {}

  async publish(_topic: string, messages: readonly BusMessage[]): Promise<void> {
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.underWay--;
    if (this.taken.length === this.failing) throw new Error('no broker');
    this.messages.push(...messages);
    this.taken.push(messages.map(({ headers }) => headers['seq'] ?? ''));
  }

  async subscribe(): Promise<never> {
    return await Promise.reject(new Error('nobody listens'));
  }

  async close(): Promise<void> {}
}

function submissions(count: number): SequencedEvent[] {
  const data = encodeJobEvent(submittedJob);
  return Array.from({ length: count }, (_, at) => ({
    eventId: randomUUID(),
    streamId: randomUUID(),
    version: 1,
    type: 'JobSubmitted',
    schemaVersion: 1,
    accountId: randomUUID(),
    deploymentId: randomUUID(),
    fence: null,
    workerSeq: null,
    isTerminal: false,
    recordedAt: '2026-01-01T00:00:00.000Z',
    correlationId: null,
    causationId: null,
    data: Buffer.from(data),
    status: 'queued',
    traceparent: null,
    seq: BigInt(at + 1),
    epoch: 1n,
    chain: Buffer.alloc(32),
  }));
}

const relay = (bus: MessageBus): JobEventsRelay =>
  new JobEventsRelay(
    bus,
    new JobMessages(new OlderEnvelopes(NO_DATABASE), new JobHoldingsReader(NO_DATABASE)),
    new JobsMetrics(new MetricsRegistry()),
  );

describe('the relay of one event', () => {
  it('takes status and trace from the envelope and asks the database nothing', async () => {
    const bus = new OneAtATime();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const [event] = submissions(1);
    const finished = { type: 'NodeFinished', data: Buffer.from(encodeJobEvent(finishedNode)), version: 7 };
    await relay(bus).publish([{ ...event!, ...finished, fence: 1, status: 'canceling', traceparent }]);
    expect(bus.messages).toMatchObject([{ payload: { status: 'canceling', version: 7 }, headers: { traceparent } }]);
  });
});

describe('the relay of many events', () => {
  const upTo = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at + 1));

  it('hands them over in parts, one after the other and in order', async () => {
    const bus = new OneAtATime();
    await relay(bus).publish(submissions(2_201));
    expect(bus.taken.flat()).toEqual(upTo(2_201));
    expect(bus.taken.length).toBeGreaterThan(1);
    expect(bus.mostUnderWay).toBe(1);
  });

  it('hands nothing over behind a part that was not taken', async () => {
    const bus = new OneAtATime(1);
    await expect(relay(bus).publish(submissions(5_000))).rejects.toThrow('no broker');
    expect(bus.taken).toHaveLength(1);
  });
});
