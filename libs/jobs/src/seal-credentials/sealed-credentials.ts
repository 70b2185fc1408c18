import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Secret } from '@heddle/contracts-messages';
import type { JobId, PartnerCredentials } from '@heddle/contracts-messages';
import type { FileKey } from '@heddle/platform-settings';

const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
/** A data key, encrypted, and its tag. */
export const WRAPPED_KEY_BYTES = KEY_BYTES + TAG_BYTES;

/** Bytes under a key that encrypts only them, and that key under a key-encryption key of the operator. */
export interface SealedCredentials {
  readonly jobId: JobId;
  /** Id of the key-encryption key. */
  readonly keyId: string;
  readonly keyNonce: Buffer;
  /** The data key, encrypted, and its tag. */
  readonly wrappedKey: Buffer;
  readonly nonce: Buffer;
  /** The credentials, encrypted, and their tag. */
  readonly ciphertext: Buffer;
}

/** What the text of sealed credentials holds. */
interface SealedText {
  readonly apiKey?: string;
  readonly authToken?: string;
}

/** Job and key are part of what is authenticated: a row that is moved to another job cannot be unsealed. */
export function seal(jobId: JobId, credentials: PartnerCredentials, key: FileKey): SealedCredentials {
  const dataKey = randomBytes(KEY_BYTES);
  const { apiKey, authToken } = credentials;
  const text: SealedText = { apiKey: apiKey?.reveal(), authToken: authToken?.reveal() };
  const [keyNonce, nonce] = [randomBytes(NONCE_BYTES), randomBytes(NONCE_BYTES)];
  return {
    jobId,
    keyId: key.id,
    keyNonce,
    wrappedKey: encrypted(dataKey, key.secret, keyNonce, boundTo('key', jobId, key.id)),
    nonce,
    ciphertext: encrypted(
      Buffer.from(JSON.stringify(text)),
      createSecretKey(dataKey),
      nonce,
      boundTo('credentials', jobId, key.id),
    ),
  };
}

/** @throws an Error without any secret if the row or the key is not the one that was used */
export function unseal(sealed: SealedCredentials, key: FileKey): PartnerCredentials {
  const { jobId, keyId, keyNonce, wrappedKey, nonce, ciphertext } = sealed;
  const dataKey = createSecretKey(decrypted(wrappedKey, key.secret, keyNonce, boundTo('key', jobId, keyId)));
  const text = decrypted(ciphertext, dataKey, nonce, boundTo('credentials', jobId, keyId)).toString();
  const { apiKey, authToken } = JSON.parse(text) as SealedText;
  return {
    ...(apiKey === undefined ? {} : { apiKey: new Secret(apiKey) }),
    ...(authToken === undefined ? {} : { authToken: new Secret(authToken) }),
  };
}

function boundTo(what: 'key' | 'credentials', jobId: JobId, keyId: string): Buffer {
  return Buffer.from(`${what} ${jobId} ${keyId}`);
}

function encrypted(plain: Buffer, key: KeyObject, nonce: Buffer, bound: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypted(bytes: Buffer, key: KeyObject, nonce: Buffer, bound: Buffer): Buffer {
  const at = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound);
  decipher.setAuthTag(bytes.subarray(at));
  return Buffer.concat([decipher.update(bytes.subarray(0, at)), decipher.final()]);
}
