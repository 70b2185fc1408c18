import { crc32 } from 'node:zlib';

export const ID_LENGTH = 16;
export const SECRET_LENGTH = 43;

const CHECKSUM_LENGTH = 8;
const REST = /^[a-z0-9]{16}_[A-Za-z0-9]{43}_[0-9a-f]{8}$/;
const ID_FORM = /^[a-z0-9]{16}$/;

/** The form `<prefix><id>_<secret>_<checksum>` (accounts, Form of a key). The id may be shown. */
export class CredentialForm {
  readonly #checkedLength: number;
  readonly #length: number;

  constructor(readonly prefix: string) {
    this.#checkedLength = prefix.length + ID_LENGTH + 1 + SECRET_LENGTH;
    this.#length = this.#checkedLength + 1 + CHECKSUM_LENGTH;
  }

  /** The id; null for every text that has another form or a wrong checksum. */
  idIn(text: string): string | null {
    const { length } = this.prefix;
    if (text.length !== this.#length || !text.startsWith(this.prefix) || !REST.test(text.slice(length))) return null;
    const isRight = Number.parseInt(text.slice(-CHECKSUM_LENGTH), 16) === crc32(text.slice(0, this.#checkedLength));
    return isRight ? text.slice(length, length + ID_LENGTH) : null;
  }

  format(id: string, secret: string): string {
    const checked = `${this.prefix}${id}_${secret}`;
    return `${checked}_${crc32(checked).toString(16).padStart(CHECKSUM_LENGTH, '0')}`;
  }
}

/** Keys of accounts. */
export const API_KEY = new CredentialForm('hdl_');
/** Tokens of publishers of nodes. */
export const PUBLISHER_TOKEN = new CredentialForm('hdr_');

/** Whether a text can be the id of a credential; another one is unknown. */
export function isCredentialId(text: string): boolean {
  return ID_FORM.test(text);
}
