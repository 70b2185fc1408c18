import { Injectable, Logger } from '@nestjs/common';
import { overlapProblem } from '@heddle/accounts-domain';
import { API_KEY, CredentialDigest, isCredentialId } from '@heddle/platform-credentials';
import { accepted, refuse, rejected } from '@heddle/contracts-messages';
import type { Answer, IssuedKey } from '@heddle/contracts-messages';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { keyOf } from '../accounts-database/key-row.js';
import type { KeyRow } from '../accounts-database/key-row.js';
import { refusedFields, unknownKey } from '../accounts-database/refusals.js';
import { KeyCache } from '../check-key/key-cache.js';
import { ROTATE_KEY } from './rotate-key.sql.js';

/** Makes a key with the name, scopes and life of another one, which then expires after the overlap. */
@Injectable()
export class RotateKeyHandler {
  readonly #logger = new Logger(RotateKeyHandler.name);

  constructor(
    private readonly database: AccountsDatabase,
    private readonly digest: CredentialDigest,
    private readonly cache: KeyCache,
  ) {}

  async handle(keyId: string, overlapS: number): Promise<Answer<IssuedKey>> {
    const invalid = refusedFields({ overlap: overlapProblem(overlapS) });
    if (invalid !== null) return invalid;
    if (!isCredentialId(keyId)) return unknownKey(keyId);
    const { key, keyId: newId, digest } = this.digest.draw(API_KEY);
    // Also after a failure: the statement may have been committed.
    const [row] = await this.database
      .query<KeyRow>(ROTATE_KEY, [keyId, overlapS, newId, digest])
      .finally(() => this.cache.evict(keyId));
    if (row === undefined) return rejected(refuse('not_found', { case: 'good_key', keyId }));
    this.#logger.log({ message: 'a key was rotated', keyId, newKeyId: newId, account: row.account });
    return accepted({ key, view: keyOf(row), isNewAccount: false });
  }
}
