import { describe, expect, it } from 'vitest';
import {
  accountNameProblem,
  keyLifeProblem,
  keyNameProblem,
  limitProblem,
  overlapProblem,
  rotatedKeyEnd,
  scopesProblem,
} from './index.js';

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
