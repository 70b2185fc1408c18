import { createHash } from 'node:crypto';
import { linkOfEvent } from '@heddle/platform-event-log';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { eventLine } from './event-line/event-line.js';

const uuid = (n: number): string => `0199f2a4-7c11-7d9e-a1f0-${n.toString(16).padStart(12, '0')}`;
export const jobId = (n: number): string => uuid(0x10000 + n);

const SUBMISSION = {
  workflowHash: 'blake3:00',
  nodesTotal: 2,
  inputs: [],
  metadata: { team: 'a' },
  idempotencyKey: null,
  hasCredentials: false,
  maxAttempts: 3,
  retentionMs: 86_400_000,
  maxQueueWaitMs: 86_400_000,
  surface: 'self-hosted',
  traceparent: null,
};
const AT = Date.parse('2026-11-27T10:00:00.000Z');

/** The events of a job that ran two nodes on its only attempt, five seconds after the one before. */
function eventsOfJob(n: number): Omit<NumberedEvent, 'seq' | 'chain'>[] {
  const time = (ms: number): string => new Date(AT + n * 5_000 + ms).toISOString();
  const node = (nodeId: string, from: number, to: number, cached: boolean): object => ({
    nodeId,
    classType: 'EmptyImage',
    startedAt: time(from),
    endedAt: time(to),
    cached,
  });
  const output = {
    ...{ nodeId: '2', key: '2/0/0', name: '=cmd', type: 'image', contentType: 'image/png', sizeBytes: 10 },
    ...{ assetId: uuid(9), hash: 'blake3:11' },
  };
  const steps: [string, number, object][] = [
    ['JobSubmitted', 0, SUBMISSION],
    ['JobLeased', 100, { attempt: 1, fence: 1, workerId: 'w1', environment: 'e', maxRuntimeMs: 1_000 }],
    ['NodeFinished', 400, node('1', 150, 350, false)],
    ['NodeFinished', 500, node('2', 350, 500, false)],
    ['OutputCommitted', 600, output],
    ['JobSucceeded', 700, { progress: null }],
  ];
  return steps.map(([type, ms, data], at) => ({
    eventId: uuid(n * 100 + at),
    streamId: jobId(n),
    version: at + 1,
    type,
    schemaVersion: 1,
    accountId: uuid(1),
    deploymentId: uuid(2),
    fence: at === 0 ? null : 1,
    workerSeq: at < 2 ? null : at - 1,
    isTerminal: type === 'JobSucceeded',
    recordedAt: time(ms),
    correlationId: null,
    causationId: null,
    data: Buffer.from(JSON.stringify(data)),
    status: null,
    traceparent: null,
  }));
}

/** A log of `jobs` jobs, one behind the other, numbered and chained. */
export function loggedJobs(jobs: number): NumberedEvent[] {
  return numbered(Array.from({ length: jobs }, (_, n) => eventsOfJob(n)).flat());
}

/** The same jobs at the same time: each version of all of them before the next version. */
export function interleavedJobs(jobs: number): NumberedEvent[] {
  const events = Array.from({ length: jobs }, (_, n) => eventsOfJob(n)).flat();
  return numbered(events.sort((a, b) => a.version - b.version));
}

function numbered(events: readonly Omit<NumberedEvent, 'seq' | 'chain'>[]): NumberedEvent[] {
  let chain: Buffer = Buffer.alloc(32);
  return events.map((event, at) => {
    chain = createHash('sha256').update(chain).update(linkOfEvent(event)!).digest();
    return { ...event, seq: BigInt(at + 1), chain };
  });
}

export function linesOf(events: readonly NumberedEvent[]): string[] {
  return events.map((event) => JSON.stringify(eventLine(event)));
}
