import { SELF_HOSTED_PRINCIPAL, SURFACES } from '@heddle/contracts-messages';
import type { AccountId, KeyCheck, Surface } from '@heddle/contracts-messages';
import { BearerToken, bearerIn } from './bearer-token.js';

/** Whose account a bearer names, or why it is not valid. */
type FoundAccount = { readonly accountId: AccountId } | { readonly fault: 'wrong' | 'suspended' };

/**
 * The account of a request: by its key where the surface has keys, else the only account, by the static token if one is
 * set.
 */
export class AccountCredential {
  readonly #staticToken: BearerToken | null;
  readonly #hasKeys: boolean;

  constructor(
    { surface, staticToken }: { readonly surface: Surface; readonly staticToken: string | null },
    private readonly keys: KeyCheck | null,
  ) {
    this.#hasKeys = SURFACES[surface].credential === 'keys';
    this.#staticToken = staticToken === null ? null : new BearerToken(staticToken);
  }

  /** Of requests without a credential; null: they are of no account. */
  get open(): AccountId | null {
    return !this.#hasKeys && this.#staticToken === null ? SELF_HOSTED_PRINCIPAL.accountId : null;
  }

  async find(authorization: string): Promise<FoundAccount> {
    if (!this.#hasKeys) {
      const isRight = this.#staticToken?.matches(authorization) ?? false;
      return isRight ? { accountId: SELF_HOSTED_PRINCIPAL.accountId } : { fault: 'wrong' };
    }
    const holder = await this.keys!.check(bearerIn(authorization) ?? '');
    if (holder === null) return { fault: 'wrong' };
    return holder.suspended ? { fault: 'suspended' } : { accountId: holder.accountId };
  }
}
