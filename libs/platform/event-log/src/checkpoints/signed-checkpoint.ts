import { createHash, createPublicKey, sign as signBytes, verify as verifyBytes, type KeyObject } from 'node:crypto';

/** A point in the hash chain of one log: `chain` proves every event up to `seq`. */
export interface Checkpoint {
  /** The log's own id (`log_identity`): a checkpoint of another log proves nothing here. */
  readonly logId: string;
  readonly seq: bigint;
  /** 32 bytes. */
  readonly chain: Buffer;
  /** ISO 8601, UTC, milliseconds, ending with Z. */
  readonly recordedAt: string;
}

export interface SignedCheckpoint extends Checkpoint {
  /** The signing key: first 16 hex digits of the SHA-256 of the public key in DER form. */
  readonly keyId: string;
  /** Ed25519 over the UTF-8 bytes of `checkpointText`. */
  readonly signature: Buffer;
}

/** The signed text. Its form must never change: signatures may be checked years later. */
export function checkpointText({ logId, seq, chain, recordedAt }: Checkpoint): string {
  return `heddle-checkpoint\n1\n${logId}\n${seq}\n${chain.toString('hex')}\n${recordedAt}\n`;
}

/** Key id of a key pair, from either key. */
export function keyIdOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

/** Signs with an Ed25519 private key. */
export function sign(checkpoint: Checkpoint, privateKey: KeyObject): SignedCheckpoint {
  const signature = signBytes(null, Buffer.from(checkpointText(checkpoint)), privateKey);
  return { ...checkpoint, keyId: keyIdOf(privateKey), signature };
}

/** True if the owner of `publicKey` signed exactly this checkpoint. */
export function check(signed: SignedCheckpoint, publicKey: KeyObject): boolean {
  return (
    publicKey.asymmetricKeyType === 'ed25519' &&
    signed.keyId === keyIdOf(publicKey) &&
    verifyBytes(null, Buffer.from(checkpointText(signed)), publicKey, signed.signature)
  );
}
