import { isBlobHash, MAX_EXPIRES_IN, MAX_TAGS, MIN_EXPIRES_IN } from '@heddle/assets-domain';
import { ASSET_LIMITS, BLOB_HASH_PATTERN } from '@heddle/contracts-api-v2';
import { describe, expect, it } from 'vitest';

// The domain imports no contract, so each has the limits of its own.
describe('the limits on assets in the contract', () => {
  it('are those by which the domain refuses', () => {
    expect(ASSET_LIMITS).toEqual({ minExpiresIn: MIN_EXPIRES_IN, maxExpiresIn: MAX_EXPIRES_IN, maxTags: MAX_TAGS });
  });

  it.each(['a'.repeat(64), 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}\n`, 'g'.repeat(64)])(
    'judge the hash form of %j as the domain does',
    (digits) => {
      const hash = `blake3:${digits}`;
      expect(new RegExp(BLOB_HASH_PATTERN, 'v').test(hash)).toBe(isBlobHash(hash));
    },
  );
});
