import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { API_KEY, CredentialDigest } from '@heddle/platform-credentials';
import type { KeyHolder } from '@heddle/contracts-messages';
import { KeyUse } from '../note-key-use/key-use.js';
import { KeyCache } from './key-cache.js';
import type { CachedKey } from './key-cache.js';
import { KeyLookup } from './key-lookup.js';

/** An answer of the database that comes later than this is not believed: the key may have been revoked since. */
const MAX_ANSWER_AGE_MS = 10_000;
const MAX_LOOK_UPS = 3;

/** The database answers, but too late. */
class KeyLookupLateError extends Error {
  constructor() {
    super('the look-up of a key took too long to be believed');
  }
}

/**
 * Who holds a key. The checksum comes first, so that noise costs no look-up. A key that is in the cache is answered at once,
 * another one after a look-up; a failed look-up is an error and never a refusal.
 */
@Injectable()
export class CheckKeyHandler {
  constructor(
    private readonly digest: CredentialDigest,
    private readonly cache: KeyCache,
    private readonly lookup: KeyLookup,
    private readonly use: KeyUse,
  ) {}

  handle(key: string): KeyHolder | null | Promise<KeyHolder | null> {
    const keyId = API_KEY.idIn(key);
    if (keyId === null) return null;
    const digest = this.digest.of(key);
    const cached = this.cache.find(keyId);
    return cached === null ? this.#lookUp(keyId, digest) : this.#holder(cached.good, digest);
  }

  async #lookUp(keyId: string, digest: Buffer): Promise<KeyHolder | null> {
    for (let turn = 0; turn < MAX_LOOK_UPS; turn++) {
      const { good, leftMs, sentAt } = await this.lookup.find(keyId);
      // The key may have expired while its answer was on the way.
      if (this.cache.now() < sentAt + Math.min(MAX_ANSWER_AGE_MS, leftMs)) return this.#holder(good, digest);
    }
    throw new KeyLookupLateError();
  }

  #holder(good: CachedKey['good'], digest: Buffer): KeyHolder | null {
    if (good === null || !timingSafeEqual(good.digest, digest)) return null;
    this.use.note(good.holder.keyId);
    return good.holder;
  }
}
