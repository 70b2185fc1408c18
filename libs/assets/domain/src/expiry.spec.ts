import { describe, expect, it } from 'vitest';
import { expiresInProblem, parseExpiresIn, retentionSeconds } from './expiry.js';

describe('an expires_in', () => {
  it('is an integer of 60 to 604800 seconds', () => {
    for (const text of ['60', '604800']) expect(expiresInProblem(parseExpiresIn(text))).toBeNull();
    for (const text of ['59', '604801', '-1', '0', 'abc', '60.5', '', '1e3', ' 60']) {
      expect(expiresInProblem(parseExpiresIn(text))).not.toBeNull();
    }
  });

  it('is read from digits alone, and of no number that is too long to be one of seconds', () => {
    expect(['0', '060', '999999999'].map(parseExpiresIn)).toEqual([0, 60, 999_999_999]);
    for (const text of ['1000000000', '+60', '0x60', '６０', '60s', '6_0', 'Infinity'])
      expect(parseExpiresIn(text), text).toBeNaN();
  });

  it('names its limits', () => {
    for (const seconds of [59, 604_801, 60.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(expiresInProblem(seconds), String(seconds)).toBe('must be an integer of 60 to 604800 seconds');
  });

  it('wins over the retention of the surface', () => {
    expect(retentionSeconds(60, null)).toBe(60);
    expect(retentionSeconds(null, 3600)).toBe(3600);
    expect(retentionSeconds(null, null)).toBeNull();
  });
});
