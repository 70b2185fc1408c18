import { describe, expect, it } from 'vitest';
import { expiresInProblem, parseExpiresIn, retentionSeconds } from './expiry.js';

describe('an expires_in', () => {
  it('is an integer of 60 to 604800 seconds', () => {
    for (const text of ['60', '604800']) expect(expiresInProblem(parseExpiresIn(text))).toBeNull();
    for (const text of ['59', '604801', '-1', '0', 'abc', '60.5', '', '1e3', ' 60']) {
      expect(expiresInProblem(parseExpiresIn(text))).not.toBeNull();
    }
  });

  it('wins over the retention of the surface', () => {
    expect(retentionSeconds(60, null)).toBe(60);
    expect(retentionSeconds(null, 3600)).toBe(3600);
    expect(retentionSeconds(null, null)).toBeNull();
  });
});
