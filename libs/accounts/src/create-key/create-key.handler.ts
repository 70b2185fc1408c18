import { Injectable, Logger } from '@nestjs/common';
import { accountNameProblem, keyLifeProblem, keyNameProblem, scopesProblem } from '@heddle/accounts-domain';
import { SCOPES } from '@heddle/contracts-api-v2';
import { accepted, newUuid } from '@heddle/contracts-messages';
import type { Answer, IssuedKey, KeyRequest } from '@heddle/contracts-messages';
import { AccountsDatabase } from '../accounts-database/accounts-database.js';
import { keyOf } from '../accounts-database/key-row.js';
import type { KeyRow } from '../accounts-database/key-row.js';
import { refusedFields } from '../accounts-database/refusals.js';
import { API_KEY, CredentialDigest } from '@heddle/platform-credentials';
import { CREATE_KEY } from './create-key.sql.js';

/** Makes a key, and the account if it does not exist. The answer is the only place where the key is ever shown. */
@Injectable()
export class CreateKeyHandler {
  readonly #logger = new Logger(CreateKeyHandler.name);

  constructor(
    private readonly database: AccountsDatabase,
    private readonly digest: CredentialDigest,
  ) {}

  async handle({ account, name, scopes, expiresInS }: KeyRequest): Promise<Answer<IssuedKey>> {
    const invalid = refusedFields({
      account: accountNameProblem(account),
      name: keyNameProblem(name),
      scopes: scopesProblem(scopes, SCOPES),
      expires_in: keyLifeProblem(expiresInS),
    });
    if (invalid !== null) return invalid;
    const { key, keyId, digest } = this.digest.draw(API_KEY);
    const chosen = SCOPES.filter((scope) => scopes.length === 0 || scopes.includes(scope));
    const values = [newUuid(), account, keyId, digest, name, chosen, expiresInS];
    const [row] = await this.database.query<KeyRow & { readonly is_new: boolean }>(CREATE_KEY, values);
    const isNewAccount = row!.is_new;
    this.#logger.log({ message: 'a key was created', keyId, account, isNewAccount });
    return accepted({ key, view: keyOf(row!), isNewAccount });
  }
}
