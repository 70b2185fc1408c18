import { createHmac, createPrivateKey } from 'node:crypto';
import { API_KEY, drawCredential } from '@heddle/platform-credentials';

const KEY_ID_LENGTH = 8;

/** Secrets that nobody has to choose. The same signing key gives the same ones, so that a second run changes nothing. */
export class DerivedSecrets {
  readonly #seed: Buffer;

  /** `signingKey`: PEM of the private key that signs service tokens. */
  constructor(signingKey: string) {
    this.#seed = createPrivateKey(signingKey).export({ type: 'pkcs8', format: 'der' });
  }

  /** 43 characters. */
  text(purpose: string): string {
    return this.#bytes(purpose, 0).toString('base64url');
  }

  /** A file of one key, `id:base64`. */
  keyFile(purpose: string): string {
    const key = this.#bytes(purpose, 0);
    return `${this.#bytes(purpose, 1).toString('hex').slice(0, KEY_ID_LENGTH)}:${key.toString('base64')}\n`;
  }

  /** An API key in its form. */
  apiKey(purpose: string): string {
    let part = 0;
    return drawCredential(API_KEY, () => this.#bytes(purpose, part++)).key;
  }

  /** 32 of them. */
  #bytes(purpose: string, part: number): Buffer {
    return createHmac('sha256', this.#seed).update(`heddle ${purpose} ${part}`).digest();
  }
}
