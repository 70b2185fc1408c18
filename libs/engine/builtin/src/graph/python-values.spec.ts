import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PythonJson } from '../values/value.js';
import { coerceConstant, CoercionError } from './coerce.js';
import { pythonFloat, pythonJson, pythonRepr, pythonStr } from './python-text.js';
import { readJson } from './read-json.js';

describe('reading JSON', () => {
  it('distinguishes integers from floats and keeps integers of any size', () => {
    expect(readJson('[1, 1.0, 18446744073709551615, 1e2, -0]')).toEqual([1n, 1, 18446744073709551615n, 100, 0n]);
  });

  it('keeps the order of keys and treats __proto__ as any other', () => {
    const value = readJson('{"10": null, "9": true, "__proto__": {"a": 1}}') as ReadonlyMap<string, PythonJson>;
    expect([...value.keys()]).toEqual(['10', '9', '__proto__']);
    expect(Object.prototype).not.toHaveProperty('a');
  });

  it.each(['', '{', '[1,]', '{"a"}', 'nul', '01', '1.', '"a', "'a'", '[1] 2', '{"a":1,}', '"\u0001"', 'NaN'])(
    'refuses %j',
    (text) => {
      expect(() => readJson(text)).toThrow(SyntaxError);
    },
  );

  it('refuses more than 64 levels without exhausting the stack', () => {
    expect(() => readJson('['.repeat(100_000))).toThrow(SyntaxError);
    expect(readJson('['.repeat(60) + ']'.repeat(60))).toBeDefined();
  });

  it('reads what any JSON writer writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(JSON.parse(pythonJson(readJson(JSON.stringify(value))))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('the text of a value', () => {
  it.each([
    [1, '1.0'],
    [0.1, '0.1'],
    [1e16, '1e+16'],
    [123456789012345680, '1.2345678901234568e+17'],
    [1e15, '1000000000000000.0'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [-0, '-0.0'],
    [NaN, 'nan'],
    [-Infinity, '-inf'],
  ])('of the float %d is %s, as in Python', (value, text) => {
    expect(pythonFloat(value)).toBe(text);
  });

  it('in JSON is ASCII with a blank after commas and colons', () => {
    expect(pythonJson(readJson('{"a":[1,2.0,"é😀\\n"],"b":{}}'))).toBe(
      '{"a": [1, 2.0, "\\u00e9\\ud83d\\ude00\\n"], "b": {}}',
    );
  });

  it('indented has one member a line', () => {
    expect(pythonJson(readJson('{"a":[1]}'), 4)).toBe('{\n    "a": [\n        1\n    ]\n}');
  });

  it.each([
    [null, 'None'],
    [true, 'True'],
    ["it's", `"it's"`],
    ['a\n', "'a\\n'"],
    [7n, '7'],
  ])('as repr of %o is %s', (value, text) => {
    expect(pythonRepr(value)).toBe(text);
  });

  it('as str of a list is its repr', () => {
    expect(pythonStr(readJson('[1, "a", {"b": null}]'))).toBe("[1, 'a', {'b': None}]");
  });
});

describe('a constant', () => {
  it.each([
    ['16', 16n],
    [' 1_0 ', 10n],
    ['+5', 5n],
    ['-7', -7n],
    ['١٢', 12n],
    [16.9, 16n],
    [-16.9, -16n],
    [true, 1n],
  ])('%o as INT is %s', (value, int) => {
    expect(coerceConstant(value, 'INT')).toBe(int);
  });

  it.each(['0x10', '1e3', '', '1.5', 'abc', '1__0', '_1', NaN, Infinity, null, new Map(), []])(
    '%o is no INT',
    (value) => {
      expect(() => coerceConstant(value as PythonJson, 'INT')).toThrow(CoercionError);
    },
  );

  it.each([
    ['1e3', 1000],
    ['.5', 0.5],
    [' inf ', Infinity],
    ['-Infinity', -Infinity],
    [3n, 3],
    [false, 0],
  ])('%o as FLOAT is %d', (value, float) => {
    expect(coerceConstant(value, 'FLOAT')).toBe(float);
  });

  it.each(['', 'e3', '1,5', null])('%j is no FLOAT', (value) => {
    expect(() => coerceConstant(value, 'FLOAT')).toThrow(CoercionError);
  });

  it.each([
    [123n, 'STRING', '123'],
    [1, 'STRING', '1.0'],
    [null, 'STRING', 'None'],
    ['false', 'BOOLEAN', true],
    ['', 'BOOLEAN', false],
    [0n, 'BOOLEAN', false],
    ['x', 'IMAGE', 'x'],
    [5n, null, 5n],
  ] as const)('%o as %s is %o', (value, type, result) => {
    expect(coerceConstant(value, type)).toBe(result);
  });

  it('is unwrapped from __value__', () => {
    expect(coerceConstant(readJson('{"__value__": "12"}'), 'INT')).toBe(12n);
  });
});
