import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pepperFileOf } from './settings.js';

describe('the file of the pepper', () => {
  it('is the one that the operator gave', () => {
    for (const mayMake of [true, false]) {
      expect(pepperFileOf({ keyPepper: '/given', data: '.heddle' }, mayMake)).toBe('/given');
    }
  });

  it('is in the data folder where the process may make it, and else must be given', () => {
    const settings = { keyPepper: null, data: '.heddle' };
    expect(pepperFileOf(settings, true)).toBe(resolve('.heddle/key-pepper'));
    expect(() => pepperFileOf(settings, false)).toThrow(/^HEDDLE_KEY_PEPPER is unset/);
  });
});
