import { describe, expect, it } from 'vitest';
import { PYTHON_WORDS, readJson } from './read-json.js';

describe('JSON read without loss', () => {
  it('keeps integers of any size and floats apart', () => {
    expect(readJson('[18446744073709551615, 1, 1.0, -0, 1e2]')).toEqual([18_446_744_073_709_551_615n, 1n, 1, 0n, 100]);
  });

  it('keeps the order of keys and keys that objects would not hold', () => {
    const read = readJson('{"10":1,"2":{"__proto__":null},"1":"\\u00e9\\n"}');
    expect([...(read as ReadonlyMap<string, unknown>).keys()]).toEqual(['10', '2', '1']);
    expect((read as ReadonlyMap<string, unknown>).get('2')).toEqual(new Map([['__proto__', null]]));
    expect((read as ReadonlyMap<string, unknown>).get('1')).toBe('\u00e9\n');
  });

  it('knows the words of Python only where they are allowed', () => {
    expect(readJson('[NaN,-Infinity]', PYTHON_WORDS)).toEqual([NaN, -Infinity]);
    expect(() => readJson('NaN')).toThrow(SyntaxError);
  });

  it.each(['', '{', '[1,]', '{"a":1,}', '01', '1.', '"\n"', '"\\x"', 'tru', '1 2', `${'['.repeat(100)}1`])(
    'refuses %j',
    (text) => {
      expect(() => readJson(text)).toThrow(SyntaxError);
    },
  );
});
