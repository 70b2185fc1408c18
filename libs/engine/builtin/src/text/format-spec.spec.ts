import { describe, expect, it } from 'vitest';
import { formatSpec } from './format-spec.js';

describe('a format specification', () => {
  it.each([
    [3n, '05d', '00003'],
    [-3n, '05d', '-0003'],
    [1_234_567n, ',d', '1,234,567'],
    [255n, '#x', '0xff'],
    [255n, '08b', '11111111'],
    [3.14159, '.2f', '3.14'],
    [0.5, '%', '50.000000%'],
    [1_234_567.891, ',.1f', '1,234,567.9'],
    [1e10, 'g', '1e+10'],
    [0.00001234, 'g', '1.234e-05'],
    ['ab', '>5', '   ab'],
    ['ab', '*^6', '**ab**'],
    ['abcdef', '.3', 'abc'],
    [12n, '+d', '+12'],
    [-7n, '=5d', '-   7'],
    [1e16, '', '1e+16'],
    [2.5, '.0f', '2'],
    [-2.5, '.0f', '-2'],
    [3.5, '.0f', '4'],
    [0.125, '.2f', '0.12'],
    [0.375, '.2f', '0.38'],
    [0.15, '.1f', '0.1'],
    [-0.5, '.0f', '-0'],
    [65n, 'c', 'A'],
    [true, 'd', '1'],
  ] as const)('of %s by "%s" gives what Python gives', (value, spec, text) => {
    expect(formatSpec(value, spec)).toBe(text);
  });

  it('that is none, or that would fill the memory, is an error', () => {
    for (const [value, spec] of [
      ['a', 'd'],
      [1n, '5~'],
      [null, '5'],
      ['a', '>9999999999'],
    ] as const) {
      expect(() => formatSpec(value, spec), spec).toThrow();
    }
  });
});
