import { describe, expect, it } from 'vitest';
import { isBlobHash, isExpectedHash, matchesExpectedHash } from './blob-hash.js';

const digits = '0123456789abcdef'.repeat(4);

describe('a blob hash', () => {
  it('is blake3: and 64 lower-case hex digits, nothing else', () => {
    expect(isBlobHash(`blake3:${digits}`)).toBe(true);
    for (const text of [digits, `blake3:${digits.toUpperCase()}`, `sha256:${digits}`, `blake3:${digits}0`, '']) {
      expect(isBlobHash(text)).toBe(false);
    }
  });

  it('is compared without regard to case when it is an expected hash', () => {
    expect(isExpectedHash(`blake3:${digits.toUpperCase()}`)).toBe(true);
    expect(isExpectedHash(`BLAKE3:${digits}`)).toBe(false);
    expect(matchesExpectedHash(`blake3:${digits.toUpperCase()}`, `blake3:${digits}`)).toBe(true);
  });
});
