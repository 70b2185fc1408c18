import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { replaceSpans } from './replace-spans.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('replaced spans of bytes', () => {
  it.each([
    ['no span', [], 'abcdef'],
    ['one at the start', [{ start: 0, end: 2, text: 'X' }], 'Xcdef'],
    ['one at the end', [{ start: 4, end: 6, text: 'XYZ' }], 'abcdXYZ'],
    ['all of it', [{ start: 0, end: 6, text: '' }], ''],
    ['an empty span, which inserts', [{ start: 3, end: 3, text: '-' }], 'abc-def'],
    [
      'neighbours',
      [
        { start: 0, end: 3, text: '1' },
        { start: 3, end: 6, text: '2' },
      ],
      '12',
    ],
    [
      'spans in any order',
      [
        { start: 4, end: 5, text: '2' },
        { start: 1, end: 2, text: '1' },
      ],
      'a1cd2f',
    ],
    ['text of several bytes a letter', [{ start: 1, end: 5, text: 'ü😀' }], 'aü😀f'],
  ])('are as given: %s', (_, spans, expected) => {
    expect(textOf(replaceSpans(bytesOf('abcdef'), spans))).toBe(expected);
  });

  it.each([
    [
      'overlap',
      [
        { start: 0, end: 3, text: '' },
        { start: 2, end: 4, text: '' },
      ],
    ],
    ['begin before the bytes', [{ start: -1, end: 3, text: '' }]],
    ['end behind the bytes', [{ start: 3, end: 7, text: '' }]],
    ['end before they begin', [{ start: 3, end: 2, text: '' }]],
  ])('are refused if they %s', (_, spans) => {
    expect(() => replaceSpans(bytesOf('abcdef'), spans)).toThrow('Overlapping or outlying span');
  });

  it('leave the given bytes as they were', () => {
    const bytes = bytesOf('abcdef');
    replaceSpans(bytes, [{ start: 0, end: 6, text: 'ghijkl' }]);
    expect(textOf(bytes)).toBe('abcdef');
  });

  it(`give what cutting and joining the text gives (seed ${seed})`, () => {
    const cuts = fc.uniqueArray(fc.nat(20), { maxLength: 8 }).map((some) => some.sort((one, other) => one - other));
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 20, maxLength: 30 });
    fc.assert(
      fc.property(letters, cuts, fc.string(), (text, at, replacement) => {
        const spans = [];
        for (let index = 0; index + 1 < at.length; index += 2)
          spans.push({ start: at[index]!, end: at[index + 1]!, text: replacement });
        const expected = spans
          .toReversed()
          .reduce((rest, { start, end }) => rest.slice(0, start) + replacement + rest.slice(end), text);
        expect(textOf(replaceSpans(bytesOf(text), spans))).toBe(textOf(bytesOf(expected)));
      }),
      { seed, numRuns: 200 },
    );
  });
});
