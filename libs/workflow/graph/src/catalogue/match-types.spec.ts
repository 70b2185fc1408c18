import { describe, expect, it } from 'vitest';
import type { Catalogue } from './catalogue.js';
import { typesMatch } from './match-types.js';

const newer: Catalogue = { classes: new Map(), older: false };
const older: Catalogue = { ...newer, older: true };
const TYPES = ['IMAGE', 'MASK', 'IMAGE,MASK', 'COMBO', '["a","b"]', '*', 'COMFY_MATCHTYPE_V3', ''];

describe('the type of a link and that of its input', () => {
  it.each([
    ['IMAGE', 'IMAGE', true],
    ['IMAGE', 'MASK', false],
    ['IMAGE', 'image', false],
    // A union on either side: one member in common is enough.
    ['IMAGE', 'IMAGE,MASK', true],
    ['IMAGE', 'LATENT, IMAGE', true],
    ['IMAGE,MASK', 'MASK', true],
    ['IMAGE,MASK', 'LATENT,MASK', true],
    ['IMAGE,MASK', 'LATENT,AUDIO', false],
    ['IMAGE,*', 'LATENT', true],
    ['LATENT', 'IMAGE,*', true],
    // A name within another one is no member.
    ['IMAGE', 'IMAGES,MASK', false],
    ['IMAGE', ' IMAGE ', true],
    ['', 'IMAGE', false],
  ])('%j for %j: %s', (received, declared, matches) => {
    for (const catalogue of [newer, older]) expect(typesMatch(received, declared, catalogue)).toBe(matches);
  });

  it('match if they are the same, or either takes anything', () => {
    for (const catalogue of [newer, older])
      for (const type of TYPES) {
        expect(typesMatch(type, type, catalogue), type).toBe(true);
        for (const any of ['*', 'COMFY_MATCHTYPE_V3']) {
          expect(typesMatch(type, any, catalogue), `${type} for ${any}`).toBe(true);
          expect(typesMatch(any, type, catalogue), `${any} for ${type}`).toBe(true);
        }
      }
  });

  it('match for a list of options where the input is a combo, which older engines do not check by its name', () => {
    expect(typesMatch('["a","b"]', 'COMBO', newer)).toBe(true);
    expect(typesMatch('["a","b"]', 'COMBO', older)).toBe(false);
    expect(typesMatch('["a","b"]', 'STRING', newer)).toBe(false);
    expect(typesMatch('["a","b"]', '["a"]', newer)).toBe(false);
    expect(typesMatch('COMBO', '["a","b"]', newer)).toBe(false);
    expect(typesMatch('IMAGE,COMBO', '["a,b"]', newer)).toBe(false);
  });
});
