import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json/json-value.js';
import { comparable, equalityKey, FAILED, toPythonFloat, toPythonInt } from './python-coercion.js';

describe('int() as Python reads it', () => {
  it.each<[JsonValue, number | bigint]>([
    ['16', 16n],
    [' 1_0 ', 10n],
    ['+5', 5n],
    ['-007', -7n],
    ['١٢', 12n],
    ['𝟏𝟐', 12n],
    ['\u00a012\u3000', 12n],
    ['\x1c\u06612\x1f', 12n],
    [16.9, 16],
    [-16.9, -16],
    [1e300, 1e300],
    [true, 1],
    [18446744073709551615n, 18446744073709551615n],
    ['18446744073709551616', 18446744073709551616n],
  ])('takes %s for %s', (value, expected) => {
    expect(toPythonInt(value)).toBe(expected);
  });

  it.each<[JsonValue]>([
    ['0x10'],
    ['\x1c12'],
    ['1e3'],
    ['1.5'],
    ['abc'],
    [''],
    ['1__0'],
    ['_1'],
    ['1_'],
    ['- 1'],
    ['\ufeff1'],
    ['1'.repeat(4301)],
    [null],
    [{}],
    [[1]],
    [NaN],
    [Infinity],
  ])('raises for %s', (value) => {
    expect(toPythonInt(value)).toBe(FAILED);
  });
});

describe('float() as Python reads it', () => {
  it.each<[JsonValue, number]>([
    ['1e3', 1000],
    ['1_0e-2', 0.1],
    [' .5', 0.5],
    ['5.', 5],
    ['٣.٥', 3.5],
    ['-inf', -Infinity],
    ['+Infinity', Infinity],
    [false, 0],
    [2n ** 64n, 2 ** 64],
  ])('takes %s for %d', (value, expected) => {
    expect(toPythonFloat(value)).toBe(expected);
  });

  it('reads nan, which no range refuses', () => {
    expect(toPythonFloat(' NaN ')).toBeNaN();
  });

  it.each<[JsonValue]>([
    ['1,5'],
    ['0x1p3'],
    [''],
    ['.'],
    ['e5'],
    ['1e'],
    ['1._5'],
    ['_1'],
    ['infinit'],
    [null],
    [{}],
    [[]],
  ])('raises for %s', (value) => {
    expect(toPythonFloat(value)).toBe(FAILED);
  });

  it('takes linear time on long runs of white space', () => {
    const started = performance.now();
    expect(toPythonFloat(' '.repeat(200_000) + 'x' + ' '.repeat(200_000))).toBe(FAILED);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('Python comparisons', () => {
  it('know 1, 1.0 and true as equal, and "1" as another', () => {
    expect(equalityKey(1)).toBe(equalityKey(true));
    expect(equalityKey(1n)).toBe(equalityKey(1));
    expect(equalityKey(-0)).toBe(equalityKey(0));
    expect(equalityKey('1')).not.toBe(equalityKey(1));
    expect(equalityKey([1, { a: true }])).toBe(equalityKey([true, { a: 1 }]));
    expect(equalityKey({ a: 1, b: 2 })).toBe(equalityKey({ b: 2, a: 1 }));
    for (const other of [null, 1, [], {}]) expect(equalityKey(equalityKey(other))).not.toBe(equalityKey(other));
  });

  it('order numbers and booleans, and raise on the rest', () => {
    expect(comparable(true)).toBe(1);
    expect(comparable(2n)).toBe(2n);
    expect([comparable('1'), comparable(null), comparable([]), comparable({})]).toEqual([
      FAILED,
      FAILED,
      FAILED,
      FAILED,
    ]);
  });
});
