import { hash, randomBytes } from 'node:crypto';
import {
  drawText,
  formatApiKey,
  ID_ALPHABET,
  KEY_ID_LENGTH,
  SECRET_ALPHABET,
  SECRET_LENGTH,
} from '@heddle/accounts-domain';
import { Secret } from '@heddle/contracts-messages';

export interface NewKey {
  readonly key: Secret;
  readonly keyId: string;
  readonly digest: Buffer;
}

/** SHA-256 of the pepper and a key (accounts, Form of a key): without the pepper, stored digests prove no guess. */
export class KeyDigest {
  /** The pepper, then room for a key. */
  readonly #input: Buffer;
  readonly #pepperLength: number;

  constructor(pepper: Secret) {
    const bytes = Buffer.from(pepper.reveal(), 'utf8');
    this.#pepperLength = bytes.length;
    this.#input = Buffer.concat([bytes, Buffer.alloc(128)]);
  }

  /** Of a key in the right form: only such a key fits. */
  of(key: string): Buffer {
    const end = this.#pepperLength + this.#input.write(key, this.#pepperLength, 'latin1');
    // Through hex it takes 0.6 us; asked for a buffer, Node takes 2.2 us.
    return Buffer.from(hash('sha256', this.#input.subarray(0, end), 'hex'), 'hex');
  }

  /** A key that nobody has. */
  newKey(): NewKey {
    const keyId = drawText(ID_ALPHABET, KEY_ID_LENGTH, randomBytes);
    const key = formatApiKey(keyId, drawText(SECRET_ALPHABET, SECRET_LENGTH, randomBytes));
    return { key: new Secret(key), keyId, digest: this.of(key) };
  }
}
