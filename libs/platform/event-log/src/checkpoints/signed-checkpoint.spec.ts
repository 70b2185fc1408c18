import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { check, checkpointText, keyIdOf, sign, type Checkpoint, type SignedCheckpoint } from './signed-checkpoint.js';

/** A fixed key and its signature. Ed25519 is deterministic, so a change of the signed text fails this spec. */
const PRIVATE = createPrivateKey(`-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
`);
const CHECKPOINT: Checkpoint = {
  logId: '0199f2a4-7c11-4d9e-a1f0-3b6f2f1c9d10',
  seq: 12_345n,
  chain: Buffer.alloc(32, 0xab),
  recordedAt: '2026-11-23T11:20:00.000Z',
};

describe('a signed checkpoint', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');

  it('covers log, seq, chain and time in one text of six lines', () => {
    expect(checkpointText(CHECKPOINT)).toBe(
      `heddle-checkpoint\n1\n0199f2a4-7c11-4d9e-a1f0-3b6f2f1c9d10\n12345\n${'ab'.repeat(32)}\n2026-11-23T11:20:00.000Z\n`,
    );
  });

  it('keeps its form: signature and key id of a known key stay what they are', () => {
    const { keyId, signature } = sign(CHECKPOINT, PRIVATE);
    expect({ keyId, signature: signature.toString('base64') }).toMatchInlineSnapshot(`
      {
        "keyId": "06e3fd8fda29bb60",
        "signature": "aGRPNrsENm+iZE/lCOeUV7tD6xyJ+5luLJ5z8FmhPMQ/EzC2mD06rQu56tSaV6ADhjd9p14qDNfbhfShi8gtDw==",
      }
    `);
  });

  it('holds against the public key of its signer', () => {
    const signed = sign(CHECKPOINT, privateKey);
    expect(check(signed, publicKey)).toBe(true);
    expect(signed.keyId).toBe(keyIdOf(publicKey));
  });

  const changes: readonly (readonly [string, Partial<SignedCheckpoint>])[] = [
    ['another log', { logId: '0199f2a4-7c11-4d9e-a1f0-3b6f2f1c9d11' }],
    ['another seq', { seq: 12_346n }],
    ['another chain', { chain: Buffer.alloc(32, 0xac) }],
    ['another time', { recordedAt: '2026-11-23T11:20:00.001Z' }],
    ['another key id', { keyId: '0'.repeat(16) }],
    ['no signature', { signature: Buffer.alloc(0) }],
    ['a signature of zeros', { signature: Buffer.alloc(64) }],
  ];
  it.each(changes)('does not hold with %s', (_, change) => {
    expect(check({ ...sign(CHECKPOINT, privateKey), ...change }, publicKey)).toBe(false);
  });

  it('does not hold against another key, of whatever kind', () => {
    const signed = sign(CHECKPOINT, privateKey);
    expect(check(signed, generateKeyPairSync('ed25519').publicKey)).toBe(false);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    expect(check({ ...signed, keyId: keyIdOf(rsa) }, rsa)).toBe(false);
  });
});
