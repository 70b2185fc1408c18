import { describe, expect, it } from 'vitest';
import { fluxAspectRatio, somethingMoves } from './custom-judges.js';

describe('a camera', () => {
  it.each([
    [[0, 0, 0], 'fails'],
    [[0, 0.1, 0], 'passes'],
    [[-1, 0, 0], 'passes'],
    [[], 'fails'],
    // Python compares a text with a number by raising, unless an earlier value has decided.
    [['x', 1], 'raises'],
    [[0, 'x'], 'raises'],
    [[1, 'x'], 'passes'],
    [[null], 'raises'],
    [[true], 'raises'],
    [[1, undefined], 'raises'],
  ] as const)('with the moves %j: %s', (values, verdict) => {
    expect(somethingMoves(values)).toBe(verdict);
  });
});

describe('an aspect ratio', () => {
  it.each(['1:1', '16:9', '4:1', '1:4', ' 16 : 9 ', '1_6:9', '+3:2'])('may be %j', (value) => {
    for (const older of [true, false]) expect(fluxAspectRatio([value], older), String(older)).toBe('passes');
  });

  it.each(['5:1', '1:5', '16', '16:9:1', '', ':', '16:', 'a:b', '16:0', '0:9', '1.5:1', '16x9', '-16:9'])(
    'must not be %j, which the newer engine throws and the older one refuses',
    (value) => {
      expect(fluxAspectRatio([value], true)).toBe('fails');
      expect(fluxAspectRatio([value], false)).toBe('raises');
    },
  );

  it('of two negative numbers is a ratio to the older engine alone', () => {
    expect(fluxAspectRatio(['-16:-9'], true)).toBe('passes');
    expect(fluxAspectRatio(['-16:-9'], false)).toBe('raises');
  });

  it('that is missing, or no text', () => {
    for (const older of [true, false]) expect(fluxAspectRatio([undefined], older)).toBe('raises');
    for (const value of [16, null, true, ['16:9'], {}]) {
      expect(fluxAspectRatio([value as never], true), JSON.stringify(value)).toBe('fails');
      expect(fluxAspectRatio([value as never], false), JSON.stringify(value)).toBe('raises');
    }
  });
});
