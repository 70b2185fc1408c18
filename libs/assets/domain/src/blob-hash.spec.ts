import { describe, expect, it } from 'vitest';
import { blobHashOf, isBlobHash, isExpectedHash, matchesExpectedHash } from './blob-hash.js';

const digits = '0123456789abcdef'.repeat(4);

describe('a blob hash', () => {
  it('is blake3: and 64 lower-case hex digits, nothing else', () => {
    expect(isBlobHash(`blake3:${digits}`)).toBe(true);
    for (const text of [digits, `blake3:${digits.toUpperCase()}`, `sha256:${digits}`, `blake3:${digits}0`, '']) {
      expect(isBlobHash(text)).toBe(false);
    }
  });

  it('is made of the digest, and is then its only spelling', () => {
    expect(isBlobHash(blobHashOf(digits))).toBe(true);
    for (const other of [
      ` ${blobHashOf(digits)}`,
      `${blobHashOf(digits)}\n`,
      blobHashOf(digits.slice(1)),
      blobHashOf(`g${digits.slice(1)}`),
    ])
      expect(isBlobHash(other), other).toBe(false);
  });

  it('is expected in either case of its digits, and matches no other hash', () => {
    const mixed = `blake3:${digits.slice(0, 32).toUpperCase()}${digits.slice(32)}`;
    expect(isExpectedHash(mixed)).toBe(true);
    expect(matchesExpectedHash(mixed, blobHashOf(digits))).toBe(true);
    expect(matchesExpectedHash(blobHashOf('f'.repeat(64)), blobHashOf(digits))).toBe(false);
    for (const other of [digits, `${mixed}\n`, `sha256:${digits}`]) expect(isExpectedHash(other), other).toBe(false);
  });

  it('is compared without regard to case when it is an expected hash', () => {
    expect(isExpectedHash(`blake3:${digits.toUpperCase()}`)).toBe(true);
    expect(isExpectedHash(`BLAKE3:${digits}`)).toBe(false);
    expect(matchesExpectedHash(`blake3:${digits.toUpperCase()}`, `blake3:${digits}`)).toBe(true);
  });
});
