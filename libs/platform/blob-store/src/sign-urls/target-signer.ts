import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { FileKey } from '@heddle/platform-settings';
import type { BlobKey } from '../blob-store.js';
import { shortFileName } from '../content-disposition.js';
import { endOf } from './url-life.js';
import type { UrlLife } from './url-life.js';

/** Below this path Heddle serves objects to every holder of a signed URL. */
export const SIGNED_PATH = '/api/v2/signed/';

/** What a good signed target gives. */
interface SignedObject {
  readonly key: BlobKey;
  readonly fileName: string;
}

/**
 * Exactly the text that `sign` makes. Clients and proxies rewrite escapes (`%7e`, `+`), and the signature covers the
 * text as it is sent: so no value needs an escape. Clients read the expiry in the first two parameters.
 */
const FORM =
  /^\/api\/v2\/signed\/([0-9a-f-]{36})\?X-Goog-Date=(\d{8}T\d{6}Z)&X-Goog-Expires=(\d{1,6})&name=([\w-]*)&key=([\w.-]{1,64})&signature=([\w-]{43})$/;

/**
 * Signs and verifies the request targets of objects that Heddle serves itself: HMAC-SHA-256 over path and parameters.
 */
export class TargetSigner {
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #newest: FileKey;
  /** Compared with for an unknown key id, so that it takes as long as a known one. */
  readonly #nobody = createSecretKey(randomBytes(32));

  /** The last key signs; all of them verify. */
  constructor(keys: readonly FileKey[]) {
    const newest = keys.at(-1);
    if (newest === undefined) throw new Error('there is no key to sign URLs with');
    this.#newest = newest;
    this.#keys = new Map(keys.map(({ id, secret }) => [id, secret]));
  }

  /** Path and query; any origin may serve it. */
  sign(key: BlobKey, filePath: string, life: UrlLife): string {
    const name = Buffer.from(shortFileName(filePath)).toString('base64url');
    const { id, secret } = this.#newest;
    const text = `${SIGNED_PATH}${key}?X-Goog-Date=${compactDate(life.signedAt)}&X-Goog-Expires=${life.seconds}&name=${name}&key=${id}`;
    return `${text}&signature=${signature(secret, text)}`;
  }

  /** Null unless the target is, character by character, one that was signed here and has not ended. */
  verify(target: string, now: Date): SignedObject | null {
    const [, key, date, seconds, name, id, given] = FORM.exec(target) ?? [];
    if (given === undefined) return null;
    const secret = this.#keys.get(id!);
    const expected = signature(secret ?? this.#nobody, target.slice(0, -'&signature='.length - given.length));
    // The texts are compared, not the bytes: base64url has several texts for the same bytes.
    const same = timingSafeEqual(Buffer.from(expected), Buffer.from(given));
    if (!same || secret === undefined) return null;
    if (now > endOf({ signedAt: dateOf(date!), seconds: Number(seconds) })) return null;
    return { key: key as BlobKey, fileName: Buffer.from(name!, 'base64url').toString() };
  }
}

function signature(secret: KeyObject, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** `20260131T235959Z` */
function compactDate(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function dateOf(compact: string): Date {
  return new Date(compact.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
