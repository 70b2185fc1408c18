import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { hasControlCharacter, isWellFormed, utf8Length } from './text-form.js';

const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 });
/** Any point but the surrogates, which are no letters. */
const wellFormed = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff })), { maxLength: 12 })
  .map((points) => String.fromCodePoint(...points));
const textOf = (codes: readonly number[]): string => String.fromCharCode(...codes);

describe(`the form of a text (seed ${seed})`, () => {
  it('has the length in bytes that an encoder gives', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }),
      { seed, numRuns: 300 },
    );
    expect(['a', 'é', '日', '😀'].map(utf8Length)).toEqual([1, 2, 3, 4]);
  });

  it('is well formed if it can be encoded and read again', () => {
    fc.assert(
      fc.property(units, (codes) => {
        const text = textOf(codes);
        expect(isWellFormed(text)).toBe(
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text)) === text,
        );
      }),
      { seed, numRuns: 300 },
    );
    expect(['\ud800', '\udc00', 'a\ud83d', '\ude00\ud83d'].map(isWellFormed)).toEqual([false, false, false, false]);
    expect(isWellFormed('😀')).toBe(true);
  });

  it('has a control character of C0, DEL or C1, and of no other place', () => {
    for (let code = 0; code < 0x200; code += 1) {
      const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
      expect(hasControlCharacter(`a${String.fromCharCode(code)}b`), code.toString(16)).toBe(isControl);
    }
    expect(hasControlCharacter('')).toBe(false);
  });
});
