import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from './load-catalogue.js';
import { typesMatch } from './match-types.js';

const recorded = (version: string): Uint8Array =>
  gunzipSync(readFileSync(new URL(`../../recorded/object_info-${version}.json.gz`, import.meta.url)));

describe('the catalogue of an engine', () => {
  const newer = loadCatalogue(recorded('0.33.0'));
  const older = loadCatalogue(recorded('0.3.64'));

  it('knows every class of both recorded engines, and which of them is the older', () => {
    expect([newer.classes.size, newer.older]).toEqual([887, false]);
    expect([older.classes.size, older.older]).toEqual([496, true]);
  });

  it('keeps seeds exact, from the text and from a parsed object', () => {
    const seedOf = (catalogue: typeof newer): unknown =>
      catalogue.classes.get('KSampler')?.inputs.find(({ name }) => name === 'seed')?.max;
    expect(seedOf(newer)).toBe(2n ** 64n - 1n);
    expect(seedOf(loadCatalogue(JSON.parse(new TextDecoder().decode(recorded('0.3.64')))))).toBe(2n ** 64n - 1n);
  });

  it('knows no class by the names that every object inherits', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(newer.classes.get(name)).toBeUndefined();
    }
  });

  it('compares type-string combos of the newer generation only', () => {
    const blendMode = (catalogue: typeof newer): unknown =>
      catalogue.classes.get('ImageBlend')?.inputs.find(({ name }) => name === 'blend_mode')?.options?.size ?? null;
    expect(blendMode(newer)).toBe(6);
    expect(blendMode(older)).toBeNull();
  });

  it('leaves out what makes no sense, and refuses what is no description at all', () => {
    const odd = { A: null, B: { input: { required: { x: 5, y: [], z: [7] }, optional: [] }, output: 'x' }, C: {} };
    const { classes } = loadCatalogue(odd);
    expect([...classes.keys()]).toEqual(['B', 'C']);
    expect(classes.get('B')!.inputs.map(({ name }) => name)).toEqual(['z']);
    for (const text of ['', '[]', 'null', '{"A":{},"A":{}}']) {
      expect(() => loadCatalogue(new TextEncoder().encode(text))).toThrow(SyntaxError);
    }
  });
});

describe('types of links', () => {
  const [newer, older] = [false, true].map((isOlder) => ({ classes: new Map(), older: isOlder }));

  it.each([
    ['IMAGE', 'IMAGE', true],
    ['IMAGE', 'MASK', false],
    ['*', 'IMAGE', true],
    ['IMAGE', '*', true],
    ['IMAGE', 'FLOAT, IMAGE', true],
    ['FLOAT,INT', 'INT ,STRING', true],
    ['FLOAT,INT', 'STRING,BOOLEAN', false],
    ['IMAGE', 'STRING,*', true],
    ['COMFY_MATCHTYPE_V3', 'IMAGE', true],
    ['["a","b"]', '["a","b"]', true],
    ['["a","b"]', '["a"]', false],
    ['STRING', '["a"]', false],
    ['["a"]', 'STRING', false],
  ])('%s into %s: %s', (received, declared, expected) => {
    expect(typesMatch(received, declared, newer!)).toBe(expected);
  });

  it('let a list of options into a combo on the newer engine only', () => {
    expect(typesMatch('["a"]', 'COMBO', newer!)).toBe(true);
    expect(typesMatch('["a"]', 'COMBO', older!)).toBe(false);
  });
});
