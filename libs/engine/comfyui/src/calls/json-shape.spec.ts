import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, listAt, parseJson, textAt, textsAt } from './json-shape.js';

describe('JSON as engines write it', () => {
  it('may hold NaN and Infinity, which become null, and not inside strings', () => {
    expect(parseJson('{"a": NaN, "b": [-Infinity, Infinity, 1], "NaN": "Infinity \\" NaN"}')).toEqual({
      a: null,
      b: [null, null, 1],
      NaN: 'Infinity " NaN',
    });
  });

  it.each(['', '{', 'NaN}', 'undefined', '{"a": NaNs}', '<html>'])('is undefined for %j', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  it('steps over strings of megabytes', () => {
    const long = 'x\\" NaN '.repeat(500_000);
    expect(textAt(parseJson(`{"a":"${long}","b":NaN}`), 'a')).toHaveLength(3_500_000);
  });

  it('reads whatever JSON there is as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      { verbose: 1 },
    );
  });
});

describe('a look into an answer', () => {
  it('finds own members only, of records only', () => {
    expect(at({ a: 1 }, 'a')).toBe(1);
    expect(at({}, 'constructor')).toBeUndefined();
    for (const value of [null, 1, 'a', [1], undefined]) expect(at(value, 'length')).toBeUndefined();
    expect(textAt({ a: 5 }, 'a')).toBeNull();
    expect(listAt({ a: {} }, 'a')).toEqual([]);
    expect(textsAt({ a: ['x', 1, null] }, 'a')).toEqual(['x']);
  });
});
