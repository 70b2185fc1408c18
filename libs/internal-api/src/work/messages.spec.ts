import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '@heddle/contracts-messages';
import type { JobLease, WorkerReport } from '@heddle/contracts-messages';
import { Acknowledgement, Lease, Report, WorkRequest } from '../generated/heddle/worker/v1/worker.js';
import { leaseMessage, leaseOfMessage } from './lease-messages.js';
import {
  acknowledgementMessage,
  answerOfMessage,
  messagesOf,
  reportMessage,
  reportOfMessage,
} from './report-messages.js';
import type { ReportAnswer } from './report-messages.js';

/** Any text that UTF-8 can hold */
const text = fc.string({ unit: 'binary', maxLength: 12 });
const id = fc.uuid() as unknown as fc.Arbitrary<never>;
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const bytes = fc.uint8Array({ maxLength: 200 });
const nat32 = fc.nat({ max: 2 ** 31 - 1 });
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const secret = text.map((value) => new Secret(value));
const input = fc.record({ assetId: id, hash: text, sizeBytes: fc.maxSafeNat(), filePath: text, name: maybe(text) });
const lease = fc.record({
  jobId: id,
  fence: nat32,
  workerId: text,
  accountId: id,
  deploymentId: id,
  attempt: nat32,
  workflow: bytes,
  nodesTotal: nat32,
  inputs: fc.array(input, { maxLength: 3 }),
  credentials: maybe(fc.record({ apiKey: secret, authToken: secret }, { requiredKeys: [] })),
  progressFloor: share,
  leaseSeconds: fc.nat(),
  maxRuntimeSeconds: fc.nat(),
  jobExpiresAt: text,
  traceparent: maybe(text),
}) as fc.Arbitrary<JobLease>;

const progress = fc.record({
  value: share,
  nodesDone: nat32,
  nodesTotal: nat32,
  currentNode: maybe(text),
  currentNodeClass: maybe(text),
  step: maybe(nat32),
  steps: maybe(nat32),
  message: maybe(text),
});
const outcome = fc.oneof(
  fc.constantFrom({ kind: 'succeeded' }, { kind: 'canceled' }),
  fc.record({ kind: fc.constant('lost'), reason: text }),
  fc.record({
    kind: fc.constant('failed'),
    code: fc.constantFrom('timeout', 'node_execution_error'),
    message: text,
    nodeId: maybe(text),
    classType: maybe(text),
    traceback: maybe(text),
    nodeRun: maybe(fc.record({ startedAt: text, endedAt: text })),
  }),
);
const output = fc.record({
  nodeId: text,
  key: text,
  name: text,
  type: fc.constantFrom('image', 'text'),
  contentType: text,
  sizeBytes: fc.maxSafeNat(),
  assetId: id,
  hash: text,
});
const node = { nodeId: text, classType: text, startedAt: text, endedAt: text, cached: fc.boolean() };
const body = fc.oneof(
  fc.constant({ kind: 'started' }),
  fc.record({ kind: fc.constant('node_finished'), ...node }),
  fc.record({ kind: fc.constant('output_committed'), output }),
  fc.record({ kind: fc.constant('log_captured'), sizeBytes: fc.maxSafeNat(), truncated: fc.boolean() }),
  fc.record({ kind: fc.constant('outcome'), outcome, progress }),
  fc.record({ kind: fc.constant('progress'), progress }),
  fc.record({ kind: fc.constant('preview'), nodeId: text, contentType: text, data: bytes }),
);
const report = fc
  .tuple(fc.record({ jobId: id, fence: nat32, sequence: fc.maxSafeNat() }), body)
  .map(([head, one]) => ({ ...head, ...one })) as fc.Arbitrary<WorkerReport>;

/** A comparable form: secrets in clear text, bytes as numbers. */
function plain(given: unknown): unknown {
  if (given instanceof Secret) return `secret ${given.reveal()}`;
  if (given instanceof Uint8Array) return [...given];
  if (Array.isArray(given)) return given.map(plain);
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, plain(one)]));
}

describe('messages of the worker protocol', () => {
  it('carry a lease as it was granted, in bytes of its own', () => {
    fc.assert(
      fc.property(lease, (granted) => {
        const wire = Buffer.from(Lease.encode(leaseMessage(granted)).finish());
        const got = leaseOfMessage(Lease.decode(wire), granted.workerId);
        wire.fill(0);
        expect(plain(got)).toEqual(plain(granted));
        expect(got.workflow).toEqual(granted.workflow);
      }),
    );
  });

  it('carry a report of every kind as it was made', () => {
    fc.assert(
      fc.property(report, (made) => {
        const wire = Report.encode(reportMessage(made)).finish();
        expect(plain(reportOfMessage(Report.decode(wire)))).toEqual(plain(made));
      }),
    );
  });

  it('name a report of a kind, or an outcome of a result, that this version does not know', () => {
    // A report with an unknown field 15, and an outcome with only an unknown field 9.
    const unknown = Report.decode(Uint8Array.from([0x10, 1, 0x7a, 0]));
    expect(reportOfMessage(unknown)).toBe('unknown_kind');
    const result = Report.decode(Uint8Array.from([0x10, 1, 0x3a, 2, 0x4a, 0]));
    expect(reportOfMessage(result)).toBe('malformed');
    expect(WorkRequest.decode(Uint8Array.from([0x7a, 0])).kind).toBeUndefined();
  });

  it('carry each verdict, and take one that is not known for a refusal', () => {
    const named = { lease: { jobId: 'j', fence: 1 }, sequence: 2 };
    const answers: ReportAnswer[] = [
      'stored',
      'try_again',
      'stale_fence',
      'not_found',
      'malformed',
      'unknown_kind',
      'too_large',
    ];
    for (const answer of answers) {
      const wire = Acknowledgement.encode(acknowledgementMessage(named, answer)).finish();
      expect(answerOfMessage(Acknowledgement.decode(wire))).toBe(answer);
    }
    expect(answerOfMessage({ ...named, verdict: 9 as never, reason: 'newer' })).toBe('malformed');
  });

  it('hold as many reports as a service reads, in their order', () => {
    const long = 'x'.repeat(262_144);
    const failure = { kind: 'failed', code: 'timeout', message: '', nodeId: null, classType: null, traceback: long };
    const reports = Array.from({ length: 40 }, (_, at) =>
      reportMessage({
        jobId: 'j',
        fence: 1,
        sequence: at + 1,
        kind: 'outcome',
        outcome: failure,
        progress: {},
      } as never),
    );
    const messages = messagesOf(reports);
    expect(messages.flat()).toEqual(reports);
    expect(messages.length).toBeGreaterThan(1);
    for (const together of messages) expect(together.length).toBeLessThanOrEqual(12);
    expect(messagesOf([])).toEqual([]);
  });
});
