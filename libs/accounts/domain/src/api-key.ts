import { crc32 } from './crc32.js';

export const KEY_ID_LENGTH = 16;
export const SECRET_LENGTH = 43;

const PREFIX = 'hdl_';
const CHECKSUM_LENGTH = 8;
const CHECKED_LENGTH = PREFIX.length + KEY_ID_LENGTH + 1 + SECRET_LENGTH;
const KEY_LENGTH = CHECKED_LENGTH + 1 + CHECKSUM_LENGTH;
const FORM = /^hdl_[a-z0-9]{16}_[A-Za-z0-9]{43}_[0-9a-f]{8}$/;
const ID_FORM = /^[a-z0-9]{16}$/;

/** The part of a key that may be shown. */
export interface ParsedKey {
  readonly keyId: string;
}

/** Null for every text that is not `hdl_<id>_<secret>_<checksum>` with the right checksum (accounts, Form of a key). */
export function parseApiKey(text: string): ParsedKey | null {
  if (text.length !== KEY_LENGTH || !FORM.test(text)) return null;
  const isRight = Number.parseInt(text.slice(-CHECKSUM_LENGTH), 16) === crc32(text, CHECKED_LENGTH);
  return isRight ? { keyId: text.slice(PREFIX.length, PREFIX.length + KEY_ID_LENGTH) } : null;
}

export function formatApiKey(keyId: string, secret: string): string {
  const checked = `${PREFIX}${keyId}_${secret}`;
  return `${checked}_${crc32(checked, checked.length).toString(16).padStart(CHECKSUM_LENGTH, '0')}`;
}

/** The id if it has the form of one, else null: an unknown key. */
export function keyIdOf(text: string): string | null {
  return ID_FORM.test(text) ? text : null;
}
