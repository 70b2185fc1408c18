import { refuse, Secret } from '@heddle/contracts-messages';
import type { SubmissionVerdict } from '@heddle/contracts-messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Verdict } from '../generated/heddle/validation/v1/validation.js';
import { verdictMessage, verdictOf } from './verdict-wire.js';

const NO_CATALOGUE = refuse('upstream_error', { case: 'no_catalogue', reason: null });

/** Any UTF-16 text, including lone surrogates and control characters. */
const text = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((u) => String.fromCharCode(...u));
/** A text that the service itself writes. */
const words = fc.string({ unit: 'grapheme' });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const number = fc.nat({ max: 2 ** 32 - 1 });
const secret = words.map((value) => new Secret(value));
const rejection = fc.record(
  {
    code: fc.constant('invalid_workflow'),
    message: words,
    details: fc.dictionary(text, text),
    retryAfterSeconds: number,
  },
  { requiredKeys: ['code', 'message'] },
);
const unknownFile = fc.record({
  name: text,
  nodeId: text,
  field: text,
  reason: words,
  isCause: fc.boolean(),
  sentence: maybe(words),
  hint: maybe(words),
});
const labels = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom('__proto__', 'constructor', ''), words), text), { maxLength: 4 })
  .map((pairs) => Object.fromEntries(pairs));
const checked = fc.record({
  kind: fc.constant('checked'),
  rejection: maybe(rejection),
  workflow: fc.record({ start: number, end: number }),
  nodesTotal: number,
  metadata: labels,
  credentials: maybe(fc.record({ apiKey: secret, authToken: secret }, { requiredKeys: [] })),
  assetIds: fc.array(fc.uuid()),
  names: fc.array(text),
  unknownFiles: fc.array(unknownFile, { maxLength: 3 }),
});
const verdict = fc.oneof(
  fc.record({ kind: fc.constant('malformed'), rejection }),
  fc.record({ kind: fc.constant('no_catalogue'), rejection: fc.constant(NO_CATALOGUE) }),
  checked,
) as unknown as fc.Arbitrary<SubmissionVerdict>;

/** A comparable form: secrets in clear text, sorted keys and no prototypes. */
function plain(given: unknown): unknown {
  if (given instanceof Secret) return `secret ${given.reveal()}`;
  if (Array.isArray(given)) return given.map(plain);
  if (typeof given !== 'object' || given === null) return given;
  return Object.entries(given)
    .map(([name, one]) => [name, plain(one)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

describe('a verdict over the wire', () => {
  it('arrives as it was given', () => {
    fc.assert(
      fc.property(verdict, (given) => {
        const bytes = Verdict.encode(verdictMessage(given)).finish();
        expect(plain(verdictOf(Verdict.decode(bytes)))).toEqual(plain(given));
      }),
    );
  });

  it('without a catalogue is a malformed body to earlier builds', () => {
    const message = verdictMessage({ kind: 'no_catalogue', rejection: NO_CATALOGUE });
    expect(message.result).toMatchObject({ $case: 'malformed', value: { code: 'upstream_error' } });
  });

  it('of a kind that this version does not know is a failure, and no verdict', () => {
    expect(() => verdictOf(Verdict.decode(Buffer.from([0x7a, 0])))).toThrow(/this version does not know/);
  });
});
