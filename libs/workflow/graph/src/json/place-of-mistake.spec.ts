import { describe, expect, it } from 'vitest';
import { placeOfMistake } from './place-of-mistake.js';

const place = (text: string): string => {
  const { line, column } = placeOfMistake(Buffer.from(text));
  return `${line}:${column}`;
};

describe('the place of a mistake in JSON', () => {
  it.each([
    ['{"a": 1,}', '1:9'],
    ['{"a": 1\n "b": 2}', '2:2'],
    ['{\n  "a": tru\n}', '2:8'],
    ["{'a': 1}", '1:2'],
    ['{"a": NaN}', '1:7'],
    ['{"a": 01}', '1:8'],
    ['{"a": 1.}', '1:9'],
    ['{"a": -}', '1:8'],
    ['{"a": 1e}', '1:9'],
    ['[1, 2', '1:6'],
    ['[1, 2}', '1:6'],
    ['{"a" 1}', '1:6'],
    ['{"é": "ü\\x"}', '1:10'],
    ['{"a": "\\u12g4"}', '1:12'],
    ['{"a": "open\n"}', '1:12'],
    ['{"a": "open', '1:12'],
    ['{} x', '1:4'],
    ['[1,]', '1:4'],
    ['<html>', '1:1'],
  ])('of %j is %s', (text, expected) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(place(text)).toBe(expected);
  });

  it('is found by a mistake anywhere in a sound text', () => {
    const text = JSON.stringify({ a: [1, -2.5e3, 'x"\\\u0001', {}, []], b: { c: 'ä' } }, null, 2);
    for (let at = 0; at <= text.length; at++) {
      const broken = `${text.slice(0, at)}\u0001${text.slice(at)}`;
      const before = text.slice(0, at).split('\n');
      expect(place(broken)).toBe(`${before.length}:${before.at(-1)!.length + 1}`);
    }
  });

  it('costs one pass over a long text', () => {
    expect(place(`[${'1,'.repeat(200_000)}`)).toBe('1:400002');
    expect(place('['.repeat(200_000))).toBe('1:200001');
  });
});
