import { statusAfter } from '@heddle/jobs-domain';
import { createHash } from 'node:crypto';
import type { JobStatus } from '@heddle/contracts-messages';
import type { NumberedEvent } from '@heddle/platform-event-log';
import type { BusMessage } from '@heddle/platform-message-bus';
import { messageOfEvent } from './read-events/message-of-event.js';

const uuid = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
const AT = Date.parse('2026-11-27T22:00:00.000Z');

const SUBMISSION = {
  ...{
    workflowHash: 'blake3:00',
    nodesTotal: 1,
    inputs: [],
    metadata: {},
    idempotencyKey: null,
    hasCredentials: false,
  },
  ...{ maxAttempts: 3, retentionMs: 1e9, maxQueueWaitMs: 1e9, surface: 'self-hosted', traceparent: null },
};
const LEASE = { attempt: 1, fence: 1, workerId: 'w', environment: 'e', maxRuntimeMs: 1_000 };
const LOSS = { reason: 'expired', detail: null, attemptSpent: false, progress: null };
const ERROR = { code: 'engine_error', message: 'm', nodeId: null, classType: null, traceback: null };
const output = (n: number): object => ({
  ...{ nodeId: '9', key: `9/0/${n}`, name: 'a', type: 'text', contentType: 'text/plain', sizeBytes: 10 + n },
  ...{ assetId: uuid(`asset ${n}`), hash: 'blake3:11' },
});

/** The steps of one job. */
function stepsOf(random: () => number): [type: string, data: object][] {
  const steps: [string, object][] = [['JobSubmitted', SUBMISSION]];
  if (random() < 0.1) return [...steps, ['JobExpired', { progress: null }]];
  if (random() < 0.3) steps.push(['JobLeased', LEASE], ['LeaseLost', LOSS]);
  steps.push(['JobLeased', LEASE]);
  for (let n = Math.floor(random() * 5); n > 0; n--) steps.push(['OutputCommitted', output(n)]);
  const dice = random();
  if (dice < 0.6) steps.push(['JobSucceeded', { progress: null }]);
  else if (dice < 0.8) steps.push(['JobFailed', { error: ERROR, progress: null }]);
  else steps.push(['CancelRequested', {}], ['JobCanceled', { reason: 'confirmed', progress: null }]);
  if (random() < 0.2) steps.push(['JobPurged', {}]);
  return steps;
}

/** A log whose jobs run beside each other, over more than one day. */
export function sampleLog(random: () => number, jobs: number): NumberedEvent[] {
  const lives = Array.from({ length: jobs }, (_, n) => ({
    id: uuid(`job ${n}`),
    n,
    version: 0,
    left: stepsOf(random),
  }));
  const open = [...lives];
  const log: NumberedEvent[] = [];
  while (open.length > 0) {
    const life = open[Math.floor(random() * Math.min(open.length, 20))]!;
    const [type, data] = life.left.shift()!;
    if (life.left.length === 0) open.splice(open.indexOf(life), 1);
    const seq = log.length + 1;
    log.push({
      seq: BigInt(seq),
      eventId: uuid(`event ${seq}`),
      streamId: life.id,
      version: ++life.version,
      type,
      schemaVersion: 1,
      accountId: uuid(`account ${life.n % 3}`),
      deploymentId: uuid('deployment'),
      fence: 1,
      workerSeq: null,
      isTerminal: type === 'JobSucceeded',
      recordedAt: new Date(AT + seq * 20_000).toISOString(),
      correlationId: null,
      causationId: null,
      data: Buffer.from(JSON.stringify(data)),
      status: null,
      traceparent: null,
      chain: null,
    });
  }
  return log;
}

/** The messages of the relay. */
export function messagesOf(log: readonly NumberedEvent[]): BusMessage[] {
  const statuses = new Map<string, JobStatus>();
  return log.map((event) => {
    const { id, seq, message } = messageOfEvent(event);
    const status = statusAfter(event.type, statuses.get(event.streamId) ?? 'queued');
    statuses.set(event.streamId, status);
    const payload = { ...message, status };
    return { key: event.streamId, id, type: event.type, payload, headers: { seq: String(seq) } };
  });
}
