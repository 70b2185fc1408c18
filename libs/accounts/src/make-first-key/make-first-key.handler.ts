import { Injectable, Logger } from '@nestjs/common';
import { API_KEY, CredentialDigest } from '@heddle/platform-credentials';
import { SCOPES } from '@heddle/contracts-api-v2';
import { newUuid } from '@heddle/contracts-messages';
import type { Secret } from '@heddle/contracts-messages';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { KeyCache } from '../check-key/key-cache.js';
import { MAKE_FIRST_KEY } from './make-first-key.sql.js';

const FIRST_ACCOUNT = 'default';

/** Makes the account `default` with a key on the first start (decisions, HEDDLE_BOOTSTRAP_KEY). */
@Injectable()
export class MakeFirstKeyHandler {
  readonly #logger = new Logger(MakeFirstKeyHandler.name);

  constructor(
    private readonly database: AccountsDatabase,
    private readonly digest: CredentialDigest,
    private readonly cache: KeyCache,
  ) {}

  /**
   * `given`: HEDDLE_BOOTSTRAP_KEY, whose form the setting has checked. Returns the key that was made where none was given, to be
   * printed once; null if nothing has to be printed.
   */
  async handle(given: Secret | null): Promise<Secret | null> {
    const key = given?.reveal() ?? null;
    const made =
      key === null
        ? this.digest.draw(API_KEY)
        : { key: given!, keyId: API_KEY.idIn(key)!, digest: this.digest.of(key) };
    const values = [newUuid(), FIRST_ACCOUNT, made.keyId, made.digest, SCOPES];
    const rows = await this.database.query<{ key_id: string }>(MAKE_FIRST_KEY, values);
    if (rows.length === 0) return null;
    this.cache.evict(made.keyId);
    this.#logger.log({ message: 'the first account was made with a key', account: FIRST_ACCOUNT, keyId: made.keyId });
    return given === null ? made.key : null;
  }
}
