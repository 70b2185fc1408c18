import { Injectable, Logger } from '@nestjs/common';
import { isCredentialId } from '@heddle/platform-credentials';
import { accepted } from '@heddle/contracts-messages';
import type { Answer, KeyView } from '@heddle/contracts-messages';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { keyOf } from '../accounts-database/key-row.js';
import type { KeyRow } from '../accounts-database/key-row.js';
import { unknownKey } from '../accounts-database/refusals.js';
import { KeyCache } from '../check-key/key-cache.js';
import { REVOKE_KEY } from './revoke-key.sql.js';

/** Revokes a key: in this process at once, in others when it is looked up again, within HEDDLE_KEY_CACHE_S. */
@Injectable()
export class RevokeKeyHandler {
  readonly #logger = new Logger(RevokeKeyHandler.name);

  constructor(
    private readonly database: AccountsDatabase,
    private readonly cache: KeyCache,
  ) {}

  async handle(keyId: string): Promise<Answer<KeyView>> {
    if (!isCredentialId(keyId)) return unknownKey(keyId);
    // Also after a failure: the statement may have been committed.
    const [row] = await this.database.query<KeyRow>(REVOKE_KEY, [keyId]).finally(() => this.cache.evict(keyId));
    if (row === undefined) return unknownKey(keyId);
    this.#logger.log({ message: 'a key was revoked', keyId, account: row.account });
    return accepted(keyOf(row));
  }
}
