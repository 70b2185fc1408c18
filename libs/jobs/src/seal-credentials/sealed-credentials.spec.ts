import { createSecretKey } from 'node:crypto';
import { inspect } from 'node:util';
import { newUuid, Secret } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { seal, unseal } from './sealed-credentials.js';
import type { SealedCredentials } from './sealed-credentials.js';

const KEY = { id: 'a', secret: createSecretKey(Buffer.alloc(32, 1)) };
const jobId = newUuid() as JobId;
const credentials = { apiKey: new Secret('the key of a partner') };

const flipped = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy[copy.length >> 1]! ^= 1;
  return copy;
};

describe('sealed credentials', () => {
  const sealed = seal(jobId, credentials, KEY);

  it.each([[{ apiKey: 'k' }], [{ authToken: 't' }], [{ apiKey: '', authToken: `"${'ü'.repeat(4_096)}` }]])(
    'open with the key that sealed them, as they were: %j',
    (given: { apiKey?: string; authToken?: string }) => {
      const secrets = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, new Secret(text)]));
      const opened = unseal(seal(jobId, secrets, KEY), KEY);
      const { apiKey, authToken } = opened;
      expect({
        ...(apiKey && { apiKey: apiKey.reveal() }),
        ...(authToken && { authToken: authToken.reveal() }),
      }).toEqual(given);
    },
  );

  it('have a data key and nonces of their own each time', () => {
    const again = seal(jobId, credentials, KEY);
    for (const part of ['keyNonce', 'wrappedKey', 'nonce', 'ciphertext'] as const) {
      expect(again[part]).not.toEqual(sealed[part]);
    }
  });

  it.each<[string, Partial<SealedCredentials>]>([
    ['of another job', { jobId: newUuid() as JobId }],
    ['under another key id', { keyId: 'b' }],
    ['with another nonce of the key', { keyNonce: flipped(sealed.keyNonce) }],
    ['with another wrapped key', { wrappedKey: flipped(sealed.wrappedKey) }],
    ['with another nonce', { nonce: flipped(sealed.nonce) }],
    ['with another ciphertext', { ciphertext: flipped(sealed.ciphertext) }],
    ['cut short', { ciphertext: sealed.ciphertext.subarray(0, 10) }],
  ])('do not open %s', (_, change) => {
    expect(() => unseal({ ...sealed, ...change }, KEY)).toThrow();
  });

  it('do not open with another key, and the error holds no secret', () => {
    const other = { id: 'a', secret: createSecretKey(Buffer.alloc(32, 2)) };
    const error: unknown = (() => {
      try {
        return unseal(sealed, other);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error)).not.toContain('partner');
  });
});
