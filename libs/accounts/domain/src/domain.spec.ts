import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountNameProblem,
  drawText,
  formatApiKey,
  ID_ALPHABET,
  keyLifeProblem,
  keyNameProblem,
  limitProblem,
  overlapProblem,
  parseApiKey,
  rotatedKeyEnd,
  scopesProblem,
  SECRET_ALPHABET,
} from './index.js';

const ID = 'a1b2c3d4e5f6g7h8';
const SECRET = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg';
const of = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const seed = Date.now() % 1_000_000_000;
const printed = { seed, verbose: 1 } as const;

describe(`an API key (seed ${seed})`, () => {
  it('is id, secret and the CRC-32 of both with their prefix', () => {
    expect(formatApiKey(ID, SECRET)).toBe(`hdl_${ID}_${SECRET}_e6d9c2a2`);
  });

  it('is read back from what was formatted', () => {
    const property = fc.property(of(ID_ALPHABET, 16), of(SECRET_ALPHABET, 43), (id, secret) => {
      expect(parseApiKey(formatApiKey(id, secret))).toEqual({ keyId: id });
    });
    fc.assert(property, printed);
  });

  it('with any character changed is not a key', () => {
    const key = formatApiKey(ID, SECRET);
    const property = fc.property(fc.nat(key.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
      fc.pre(key[at] !== other);
      expect(parseApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBeNull();
    });
    fc.assert(property, { ...printed, numRuns: 2_000 });
  });

  const key = formatApiKey(ID, SECRET);
  it.each([
    '',
    'hdl_',
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    key.replace(/_e6d9c2a2$/, '_E6D9C2A2'),
    key.replace(/[0-9a-f]$/, (last) => (last === '0' ? '1' : '0')),
    formatApiKey(ID.toUpperCase(), SECRET),
    formatApiKey(ID, `${SECRET.slice(1)}-`),
    formatApiKey(ID, `${SECRET.slice(1)}é`),
  ])('is not %j', (text) => expect(parseApiKey(text)).toBeNull());

  it('is drawn with equally likely characters', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    let drawn = 0;
    const text = drawText(ID_ALPHABET, 252, () => (drawn++ === 0 ? bytes : Uint8Array.of(0)));
    const counts = [...ID_ALPHABET].map((character) => text.split(character).length - 1);
    expect(new Set(counts)).toEqual(new Set([7]));
    expect(drawn).toBe(1);
  });
});

describe('the name of an account', () => {
  it.each(['a', '0', 'acme', 'a.b_c-d', 'x'.repeat(63)])('may be %j', (name) =>
    expect(accountNameProblem(name)).toBeNull(),
  );
  it.each(['', '.a', '-a', '_a', 'A', 'ä', 'a b', 'a/b', 'a\n', 'x'.repeat(64), null, 7])('must not be %j', (name) =>
    expect(accountNameProblem(name)).toContain('must be 1 to 63 characters'),
  );
});

describe('what an operator gives an account or a key', () => {
  it('is a number in its range, or null', () => {
    for (const good of [null, 0, 7, 1_000_000_000]) expect(limitProblem('queueDepth', good)).toBeNull();
    for (const bad of [-1, 1.5, 1e10, Number.NaN, Number.POSITIVE_INFINITY, '7', undefined, {}])
      expect(limitProblem('running', bad)).toContain('must be a whole number from 0');
    expect(limitProblem('readRate', 0.5)).toBeNull();
    expect(limitProblem('storageBytes', 2 ** 53)).not.toBeNull();
  });

  it('is a list of known scopes', () => {
    const known = ['a:read', 'a:write'];
    expect(scopesProblem([], known)).toBeNull();
    expect(scopesProblem(['a:write', 'a:write'], known)).toBeNull();
    for (const bad of [['b:read'], 'a:read', null, [7], { length: 0 }])
      expect(scopesProblem(bad, known)).toContain('a:read, a:write');
  });

  it('is a name without control characters', () => {
    for (const good of [null, 'CI of the web team', '界']) expect(keyNameProblem(good)).toBeNull();
    for (const bad of ['', 'a\nb', '\u009b', 'x'.repeat(101), '\ud800', 7]) expect(keyNameProblem(bad)).not.toBeNull();
  });

  it('is a life or an overlap in seconds', () => {
    for (const good of [null, 0.5, 86_400]) expect(keyLifeProblem(good)).toBeNull();
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e12, '1'])
      expect(keyLifeProblem(bad)).not.toBeNull();
    expect(overlapProblem(0)).toBeNull();
    for (const bad of [-1, null, Number.NaN, 1e12]) expect(overlapProblem(bad)).not.toBeNull();
  });
});

describe('a rotated key', () => {
  it('ends after the overlap, and never later than it would have', () => {
    expect(rotatedKeyEnd(1_000, 60, null)).toBe(61_000);
    expect(rotatedKeyEnd(1_000, 60, 5_000)).toBe(5_000);
    expect(rotatedKeyEnd(1_000, 0, 5_000)).toBe(1_000);
  });
});
