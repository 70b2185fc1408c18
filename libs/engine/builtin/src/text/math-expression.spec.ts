import { describe, expect, it } from 'vitest';
import { evaluateMath } from './math-expression.js';

const NAMES = new Map([
  ['a', 7n],
  ['b', 2n],
] as const);

describe('an expression', () => {
  it.each([
    ['a + b * 3', 13n],
    ['a / b', 3.5],
    ['a // b', 3n],
    ['-a // b', -4n],
    ['-a % b', 1n],
    ['2 ** 10', 1024n],
    ['2 ** -1', 0.5],
    ['(a - b) * 1.0', 5],
    ['a > b', true],
    ['1 < b < 3', true],
    ['a if a < b else b', 2n],
    ['not a', false],
    ['min(a, b, 5)', 2n],
    ['round(2.5)', 2n],
    ['9007199254740993 + 0', 9_007_199_254_740_993n],
  ] as const)('%s is what Python says it is', (text, value) => {
    expect(evaluateMath(text, NAMES)).toBe(value);
  });

  it.each(['', 'a +', '(a', 'c', 'a.b', 'open(1)', '1 / 0', '9**9**9', `${'('.repeat(500)}1${')'.repeat(500)}`])(
    '%s is an error',
    (text) => {
      expect(() => evaluateMath(text, NAMES)).toThrow();
    },
  );
});
