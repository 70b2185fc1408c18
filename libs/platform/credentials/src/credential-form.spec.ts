import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { API_KEY, PUBLISHER_TOKEN } from './credential-form.js';
import { drawText, ID_ALPHABET, SECRET_ALPHABET } from './draw-text.js';

const ID = 'a1b2c3d4e5f6g7h8';
const SECRET = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg';
const of = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const printed = { seed, verbose: 1 } as const;

describe(`an API key (seed ${seed})`, () => {
  it('is id, secret and the CRC-32 of both with their prefix', () => {
    expect(API_KEY.format(ID, SECRET)).toBe(`hdl_${ID}_${SECRET}_e6d9c2a2`);
  });

  it('is read back from what was formatted', () => {
    const property = fc.property(of(ID_ALPHABET, 16), of(SECRET_ALPHABET, 43), (id, secret) => {
      expect(API_KEY.idIn(API_KEY.format(id, secret))).toBe(id);
    });
    fc.assert(property, printed);
  });

  it('with any character changed is not a key', () => {
    const key = API_KEY.format(ID, SECRET);
    const property = fc.property(fc.nat(key.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
      fc.pre(key[at] !== other);
      expect(API_KEY.idIn(key.slice(0, at) + other + key.slice(at + 1))).toBeNull();
    });
    fc.assert(property, { ...printed, numRuns: 2_000 });
  });

  const key = API_KEY.format(ID, SECRET);
  it.each([
    '',
    'hdl_',
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    key.replace(/_e6d9c2a2$/, '_E6D9C2A2'),
    key.replace(/[0-9a-f]$/, (last) => (last === '0' ? '1' : '0')),
    API_KEY.format(ID.toUpperCase(), SECRET),
    API_KEY.format(ID, `${SECRET.slice(1)}-`),
    API_KEY.format(ID, `${SECRET.slice(1)}é`),
  ])('is not %j', (text) => expect(API_KEY.idIn(text)).toBeNull());

  it('is drawn with equally likely characters', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    let drawn = 0;
    const text = drawText(ID_ALPHABET, 252, () => (drawn++ === 0 ? bytes : Uint8Array.of(0)));
    const counts = [...ID_ALPHABET].map((character) => text.split(character).length - 1);
    expect(new Set(counts)).toEqual(new Set([7]));
    expect(drawn).toBe(1);
  });
});

it('a publisher’s token has its own prefix, and is no API key', () => {
  const token = PUBLISHER_TOKEN.format(ID, SECRET);
  expect(PUBLISHER_TOKEN.idIn(token)).toBe(ID);
  expect(API_KEY.idIn(token)).toBeNull();
});
