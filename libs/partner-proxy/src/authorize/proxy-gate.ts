import { Inject, Injectable, Optional } from '@nestjs/common';
import { KEY_CHECK, NIL_UUID, SURFACES } from '@heddle/contracts-messages';
import type { AccountId, KeyCheck } from '@heddle/contracts-messages';
import { refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryRejection } from '@heddle/contracts-registry';
import { AccountCredential, bearerIn, TokenBuckets } from '@heddle/platform-http';
import type { FastifyRequest } from 'fastify';
import { isFree, ProxyPricesHolder } from '../price-tasks/price-list.js';
import { PartnerProxySettings } from '../settings.js';
import { admitAccount } from './proxy-caller.js';

const UNAUTHORIZED = refuseRegistry('unauthorized', { case: 'credential' });
const INVALID_TOKEN = refuseRegistry('invalid_token', { case: 'token' });
const SUSPENDED = refuseRegistry('forbidden', { case: 'suspended' });
const UNREADABLE = refuseRegistry('invalid_request', { case: 'zero_character' });
const CALLBACKS = /^\/proxy\/(?:video|image)vendor\/callbacks\//;
/** Of calls without a credential, where they are allowed. */
const ANONYMOUS = NIL_UUID as AccountId;

/** Whose request it is, before its body is read (registry decisions, Account credential). */
@Injectable()
export class ProxyGate {
  readonly #accounts: AccountCredential;
  /** Whoever has no credential. */
  readonly #anybody: AccountId | null;
  readonly #failures: TokenBuckets;

  constructor(
    settings: PartnerProxySettings,
    { prices }: ProxyPricesHolder,
    @Optional() @Inject(KEY_CHECK) keys: KeyCheck | null,
  ) {
    this.#accounts = new AccountCredential(settings, keys);
    const isFreeForAll = SURFACES[settings.surface].credential === 'keys' && settings.allowAnonymous && isFree(prices);
    this.#anybody = isFreeForAll ? ANONYMOUS : this.#accounts.open;
    this.#failures = new TokenBuckets(settings.authFailures / 60, settings.authFailures);
  }

  async admit(request: FastifyRequest): Promise<RegistryRejection | null> {
    const target = request.raw.url ?? '';
    // The signature of a vendor is its credential; one that comes along is not read.
    if (CALLBACKS.test(target)) return null;
    // No name holds the character zero, and the database takes no text with one.
    if (target.includes('%00')) return UNREADABLE;
    const found = await this.#account(request.headers.authorization, request.ip);
    if (typeof found !== 'string') return found;
    admitAccount(request, found);
    return null;
  }

  async #account(authorization: string | undefined, address: string): Promise<RegistryRejection | AccountId> {
    if (authorization === undefined) return this.#anybody ?? UNAUTHORIZED;
    const bearer = bearerIn(authorization);
    if (bearer === null) return UNAUTHORIZED;
    if (bearer.startsWith('hdr_')) return this.#failed(address, INVALID_TOKEN);
    const found = await this.#accounts.find(authorization);
    if ('accountId' in found) return found.accountId;
    return found.fault === 'suspended' ? SUSPENDED : this.#failed(address, UNAUTHORIZED);
  }

  /** One more wrong credential of an address: `wrong`, or to wait. */
  #failed(address: string, wrong: RegistryRejection): RegistryRejection {
    const retryAfterSeconds = this.#failures.take(address);
    return retryAfterSeconds === null
      ? wrong
      : refuseRegistry('rate_limited', { case: 'wrong_keys' }, { retryAfterSeconds });
  }
}
