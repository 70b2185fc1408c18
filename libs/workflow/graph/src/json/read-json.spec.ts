import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from './json-value.js';
import { childAt, makeExact, quotedInteger, readJson, type JsonDocument } from './read-json.js';
import { replaceSpans } from './replace-spans.js';
import { findDuplicateKey, findValueSpans, keysInOrder } from './walk-json.js';

const LIMITS = { maxDepth: 64, maxKeys: 200_000, maxLists: 200_000, maxNumberLength: 64 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const read = (text: string, limits = LIMITS): ReturnType<typeof readJson> =>
  readJson(bytesOf(text), limits, { linkDepth: 5 });
const failure = (text: string, limits = LIMITS): string | null => {
  const result = read(text, limits);
  return result.ok ? null : result.reason;
};
const runs = { seed, numRuns: 300 };

/** Arbitrary JSON text: fast-check values with the whitespace that JSON allows. */
const jsonText = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t', ' '))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe(`reading JSON strictly (seed ${seed})`, () => {
  it('gives what JSON.parse gives for every JSON text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const result = read(text);
        expect(result.ok && result.value).toEqual(JSON.parse(text));
      }),
      runs,
    );
  });

  it('refuses whatever JSON.parse refuses, and never throws on mutilated text', () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), fc.nat(255), (text, at, byte) => {
        const bytes = bytesOf(text);
        bytes[at % bytes.length] = byte;
        const result = readJson(bytes, LIMITS, { linkDepth: 5 });
        let parsed: { value: unknown } | null = null;
        try {
          parsed = { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) };
        } catch {
          parsed = null;
        }
        if (parsed === null) expect(result.ok).toBe(false);
        else if (result.ok) expect(result.value).toEqual(parsed.value);
        else expect(result.reason).toBe('duplicate_key');
      }),
      runs,
    );
  });

  it('keeps the span of every top-level value verbatim', () => {
    const key = fc.string({ minLength: 1 }).filter((name) => name !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })), fc.constantFrom(0, 2), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const result = read(text) as JsonDocument;
        const spans = result.scan.topLevel.map(({ value }) =>
          JSON.parse(textOf(bytesOf(text).subarray(value.start, value.end))),
        );
        expect(spans).toEqual(Object.values(JSON.parse(text) as object));
      }),
      runs,
    );
  });

  it.each([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":{"b":1,"c":{"d":1,"d":1}}}', ['a', 'c', 'd']],
    ['[{"x":1},{"x":1,"y":0,"\\u0078":2}]', [1, 'x']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"10":1,"9":2,"10":3}', ['10']],
  ])('refuses a repeated key with its path: %s', (text, path) => {
    expect(read(text)).toEqual({ ok: false, reason: 'duplicate_key', path });
    expect(findDuplicateKey(bytesOf(text))).toEqual(path);
  });

  it('reads keys that every object inherits as plain data', () => {
    const result = read('{"__proto__":{"polluted":1},"constructor":2,"toString":null}') as JsonDocument;
    expect(childAt(result.value, '__proto__')).toEqual({ polluted: 1 });
    expect(childAt(result.value, 'constructor')).toBe(2);
    expect(childAt(result.value, 'valueOf')).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('refuses nesting beyond the limit before anything is built, 100,000 levels included', () => {
    expect(failure('['.repeat(64) + ']'.repeat(64))).toBeNull();
    expect(failure('['.repeat(65) + ']'.repeat(65))).toBe('too_deep');
    expect(failure('['.repeat(100_000) + ']'.repeat(100_000))).toBe('too_deep');
    expect(failure('{"a":'.repeat(100_000))).toBe('too_deep');
  });

  it('refuses more keys, and longer numbers, than the limits allow', () => {
    const limits = { ...LIMITS, maxKeys: 3, maxNumberLength: 5 };
    expect(failure('{"a":1,"b":2,"c":3}', limits)).toBeNull();
    expect(failure('{"a":1,"b":2,"c":{"d":3}}', limits)).toBe('too_many_keys');
    expect(failure('[12345]', limits)).toBeNull();
    expect(failure('[{},[[]]]', { ...LIMITS, maxLists: 3 })).toBe('too_many_lists');
    expect(failure('[123456]', limits)).toBe('number_too_long');
    expect(failure('[1.2e-3]', limits)).toBe('number_too_long');
    for (const text of ['------', '# 1\n\n| ---------- |', '[1.2.3.4.5]'])
      expect(failure(text, limits)).toBe('invalid_json');
  });

  it.each(['NaN', '[Infinity]', '{"a":-Infinity}', "{'a':1}", '{"a":1,}', '01', '"\u0001"', '\ufeff{}', '', '{"a":"'])(
    'refuses what is no JSON: %s',
    (text) => {
      expect(['invalid_json', 'unterminated']).toContain(failure(text));
    },
  );

  it('refuses bytes that are no UTF-8, encoded surrogates and overlong forms included', () => {
    for (const bad of [[0xff], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xe2, 0x82]]) {
      const result = readJson(Uint8Array.from([0x22, ...bad, 0x22]), LIMITS);
      expect(result.ok ? null : result.reason).toBe('invalid_utf8');
    }
    expect(failure('"\\ud800"')).toBeNull();
  });

  it('makes integers exact that a double cannot hold, where one asks for it', () => {
    const text =
      '{"a":18446744073709551615,"b":[{"x" : 9007199254740993}],"c":9007199254740991,"d":-18446744073709551616,"e":1e20}';
    const document = read(text) as JsonDocument;
    expect(childAt(document.value, 'a')).toBe(18446744073709552000);
    makeExact(bytesOf(text), document);
    expect(document.value).toEqual({
      a: 18446744073709551615n,
      b: [{ x: 9007199254740993n }],
      c: 9007199254740991,
      d: -18446744073709551616n,
      e: 1e20,
    });
  });
});

describe('integers given as texts', () => {
  const quoted = (text: string): unknown => {
    const result = readJson(bytesOf(text), LIMITS, { quoteLongIntegers: true });
    return result.ok
      ? Object.values(result.value as object).map((value: JsonValue) => quotedInteger(value))
      : result.reason;
  };

  it('are exact, and no other text is taken for one', () => {
    expect(quoted('{"ü":18446744073709551615,"b":-9223372036854775808,"c":1234567890123456}')).toEqual([
      18446744073709551615n,
      -9223372036854775808n,
      1234567890123456,
    ]);
    expect(quoted('{"a":"\\u0000x","b":"\\u0000","c":"18446744073709551615","d":5,"e":1e30}')).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(quoted('{"a":01234567890123456789}')).toBe('invalid_json');
  });
});

describe('finding and replacing values in the text', () => {
  const text = '{"9":{"image":{"__type":"core/ASSET","info":{"id":"x"}}, "n":[1, "tw\\"o" ,[3]]},"10":"ä€","1":null}';

  it('gives the keys of an object in the order of the text, integer-like ones too', () => {
    expect(keysInOrder(bytesOf(text))).toEqual(['9', '10', '1']);
  });

  it('finds the span of each path, and null where a path leads nowhere', () => {
    const paths = [['9', 'n', 2, 0], ['9', 'image'], ['nowhere'], ['10'], ['9', 'n', 1], ['10']];
    const found = findValueSpans(bytesOf(text), paths).map(
      (span) => span && textOf(bytesOf(text).subarray(span.start, span.end)),
    );
    expect(found).toEqual(['3', '{"__type":"core/ASSET","info":{"id":"x"}}', null, '"ä€"', '"tw\\"o"', '"ä€"']);
  });

  it('replaces spans and leaves every other byte alone', () => {
    const bytes = bytesOf(text);
    const [image, name] = findValueSpans(bytes, [['9', 'image'], ['10']]);
    const replaced = replaceSpans(bytes, [
      { ...name!, text: '"v2/ü.png"' },
      { ...image!, text: '"v2/1.png"' },
    ]);
    expect(textOf(replaced)).toBe('{"9":{"image":"v2/1.png", "n":[1, "tw\\"o" ,[3]]},"10":"v2/ü.png","1":null}');
    expect(() =>
      replaceSpans(
        bytes,
        [image!, image!].map((span) => ({ ...span, text: '' })),
      ),
    ).toThrow(RangeError);
  });

  it('finds in every JSON text what JSON.parse finds under every path', () => {
    fc.assert(
      fc.property(jsonText, (json) => {
        const paths = allPaths(JSON.parse(json));
        const spans = findValueSpans(
          bytesOf(json),
          paths.map(({ path }) => path),
        );
        spans.forEach((span, at) => {
          expect(JSON.parse(textOf(bytesOf(json).subarray(span!.start, span!.end)))).toEqual(paths[at]!.value);
        });
      }),
      { seed, numRuns: 100 },
    );
  });
});

function allPaths(value: unknown, path: (string | number)[] = []): { path: (string | number)[]; value: unknown }[] {
  const here = [{ path, value }];
  if (typeof value !== 'object' || value === null) return here;
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [
    ...here,
    ...steps.flatMap((step) => allPaths((value as Record<string | number, unknown>)[step], [...path, step])),
  ];
}
