import { Secret } from '@heddle/contracts-messages';
import type { JobPage, JobSubmission, JobView, Principal, SubmissionAnswer } from '@heddle/contracts-messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListResponse, Submission, SubmissionAnswer as AnswerMessage } from '../generated/heddle/jobs/v1/jobs.js';
import { answerOf, resultOf } from '../encode-values/call-answers.js';
import { jobMessage, jobOf, pageMessage, pageOf } from './job-wire.js';
import { submissionAnswerMessage, submissionAnswerOf, submissionMessage, submissionOf } from './submission-wire.js';

/** Any UTF-16 text, including lone surrogates and control characters. */
const text = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((u) => String.fromCharCode(...u));
/** A text that is valid UTF-8, as a service writes it. */
const words = fc.string({ unit: 'grapheme' });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const number = fc.nat({ max: 2 ** 31 - 1 });
const id = fc.uuid();
const labels = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom('__proto__', 'constructor', ''), words), text), { maxLength: 4 })
  .map((pairs) => Object.fromEntries(pairs));
const secret = words.map((value) => new Secret(value));
const credentials = maybe(fc.record({ apiKey: secret, authToken: secret }, { requiredKeys: [] }));
const principal = fc.record({ accountId: id, deploymentId: id }) as unknown as fc.Arbitrary<Principal>;
const input = fc.record({
  assetId: id,
  hash: words,
  sizeBytes: fc.maxSafeNat(),
  filePath: words,
  name: maybe(words),
});
const submission = fc.record({
  jobId: id,
  idempotencyKey: maybe(words),
  workflow: fc.uint8Array({ maxLength: 200 }),
  nodesTotal: number,
  metadata: labels,
  inputs: fc.array(input, { maxLength: 3 }),
  credentials,
  revision: number,
  requestId: words,
  traceparent: maybe(words),
}) as unknown as fc.Arbitrary<JobSubmission>;
const summary = {
  id,
  accountId: id,
  deploymentId: id,
  status: fc.constantFrom('queued', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired'),
  version: number,
  fence: number,
  createdAt: words,
  updatedAt: words,
  startedAt: maybe(words),
  completedAt: maybe(words),
  expiresAt: words,
  queuePosition: maybe(number),
  queueMs: maybe(fc.double({ noNaN: true })),
  executionMs: maybe(fc.maxSafeNat()),
  metadata: labels,
};
const progress = fc.record({
  value: fc.double({ min: 0, max: 1, noNaN: true }),
  nodesDone: number,
  nodesTotal: number,
  currentNode: maybe(words),
  currentNodeClass: maybe(words),
  step: maybe(number),
  steps: maybe(number),
  message: maybe(words),
});
const output = fc.record({
  nodeId: words,
  key: words,
  name: words,
  type: fc.constantFrom('image', 'latent'),
  contentType: words,
  sizeBytes: fc.maxSafeNat(),
  assetId: id,
  hash: words,
});
const error = fc.record({
  code: fc.constantFrom('timeout', 'output_limit'),
  message: words,
  nodeId: maybe(words),
  classType: maybe(words),
  traceback: maybe(words),
});
const view = fc.record({
  ...summary,
  progress: maybe(progress),
  outputs: fc.array(output, { maxLength: 3 }),
  error: maybe(error),
}) as unknown as fc.Arbitrary<JobView>;
const page = fc.record({
  jobs: fc.array(fc.record(summary), { maxLength: 3 }),
  nextCursor: maybe(words),
}) as unknown as fc.Arbitrary<JobPage>;
const rejection = fc.record(
  { code: fc.constantFrom('not_found', 'queue_full'), message: words, details: labels, retryAfterSeconds: number },
  { requiredKeys: ['code', 'message'] },
);
const submitted = fc.oneof(
  fc.record({ ok: fc.constant(true), value: view }),
  fc.record({
    ok: fc.constant(false),
    rejection,
    why: fc.constantFrom('key_claimed', 'queue_full', 'insufficient_credits', 'unknown'),
  }),
) as unknown as fc.Arbitrary<SubmissionAnswer>;

/** A comparable form: secrets in clear text, bytes as numbers, sorted keys and no prototypes. */
function plain(given: unknown): unknown {
  if (given instanceof Secret) return `secret ${given.reveal()}`;
  if (given instanceof Uint8Array) return [...given];
  if (Array.isArray(given)) return given.map(plain);
  if (typeof given !== 'object' || given === null) return Object.is(given, -0) ? 0 : given;
  return Object.entries(given)
    .map(([name, one]) => [name, plain(one)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('what gateways and the jobs service say to each other', () => {
  it('is taken as it was said: submissions', () => {
    const property = fc.property(principal, submission, (me, given) => {
      const bytes = Submission.encode({ ...submissionMessage(me, given), origin: undefined }).finish();
      const message = Submission.decode(bytes);
      expect(message.principal).toEqual(me);
      expect(plain(submissionOf(message, (json) => JSON.parse(json) as string))).toEqual(plain(given));
    });
    fc.assert(property);
  });

  it('is answered as it was meant: jobs, refusals and pages', () => {
    const answers = fc.property(submitted, (given) => {
      const bytes = AnswerMessage.encode(submissionAnswerMessage(given)).finish();
      expect(plain(submissionAnswerOf(AnswerMessage.decode(bytes)))).toEqual(plain(given));
    });
    fc.assert(answers);
    const jobs = fc.property(view, (given) => {
      expect(plain(jobOf(jobMessage(given)))).toEqual(plain(given));
    });
    fc.assert(jobs);
    const pages = fc.property(page, (value) => {
      const bytes = ListResponse.encode(resultOf('page', { ok: true, value }, pageMessage)).finish();
      expect(plain(answerOf(ListResponse.decode(bytes), pageOf))).toEqual(plain({ ok: true, value }));
    });
    fc.assert(pages);
  });

  it('of a kind that this version does not know is no answer', () => {
    const unknown = AnswerMessage.decode(Buffer.from([0x7a, 0]));
    expect(() => submissionAnswerOf(unknown)).toThrow(/neither a value nor a rejection/);
    const rejection = { code: 'queue_full', message: 'x', details: undefined, retryAfterSeconds: undefined };
    const refusal = { result: { $case: 'refusal' as const, value: { rejection, why: 9 } } };
    expect(submissionAnswerOf(refusal)).toMatchObject({ ok: false, why: 'unknown' });
  });
});
