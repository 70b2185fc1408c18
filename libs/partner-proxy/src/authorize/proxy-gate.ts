import { Inject, Injectable, Optional } from '@nestjs/common';
import { KEY_CHECK, NIL_UUID, SURFACES } from '@heddle/contracts-messages';
import type { AccountId, KeyCheck } from '@heddle/contracts-messages';
import { CALLER_REFUSALS, refuseCredential, refuseHead } from '@heddle/contracts-registry';
import type { RegistryRejection } from '@heddle/contracts-registry';
import { PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import { AccountCredential, bearerIn } from '@heddle/platform-http';
import { FailedCredentials } from '@heddle/platform-http/failed-credentials';
import type { FastifyRequest } from 'fastify';
import { isFree, ProxyPricesHolder } from '../price-tasks/price-list.js';
import { PartnerProxySettings } from '../settings.js';
import { admitAccount } from './proxy-caller.js';

const { unauthorized, invalidToken, suspended } = CALLER_REFUSALS;
const CALLBACKS = /^\/proxy\/(?:video|image)vendor\/callbacks\//;
/** Of calls without a credential, where they are allowed. */
const ANONYMOUS = NIL_UUID as AccountId;

/** Whose request it is, before its body is read (registry decisions, Account credential). */
@Injectable()
export class ProxyGate {
  readonly #accounts: AccountCredential;
  /** A caller without a credential. */
  readonly #anybody: AccountId | null;
  readonly #failures: FailedCredentials;

  constructor(
    settings: PartnerProxySettings,
    { prices }: ProxyPricesHolder,
    @Optional() @Inject(KEY_CHECK) keys: KeyCheck | null,
  ) {
    this.#accounts = new AccountCredential(settings, keys);
    const isFreeForAll = SURFACES[settings.surface].credential === 'keys' && settings.allowAnonymous && isFree(prices);
    this.#anybody = isFreeForAll ? ANONYMOUS : this.#accounts.open;
    this.#failures = new FailedCredentials(settings.authFailures);
  }

  async admit(request: FastifyRequest): Promise<RegistryRejection | null> {
    const target = request.raw.url ?? '';
    // The signature of a vendor is its credential; one that comes along is not read.
    if (CALLBACKS.test(target)) return null;
    const unreadable = refuseHead(target, request.headers['idempotency-key']);
    if (unreadable !== null) return unreadable;
    const found = await this.#account(request.headers.authorization, request.ip);
    if (typeof found !== 'string') return found;
    admitAccount(request, found);
    return null;
  }

  async #account(authorization: string | undefined, address: string): Promise<RegistryRejection | AccountId> {
    if (authorization === undefined) return this.#anybody ?? unauthorized;
    const bearer = bearerIn(authorization);
    if (bearer === null) return unauthorized;
    if (bearer.startsWith(PUBLISHER_TOKEN.prefix)) return this.#failed(address, invalidToken);
    const found = await this.#accounts.find(authorization);
    if ('accountId' in found) return found.accountId;
    return found.fault === 'suspended' ? suspended : this.#failed(address, unauthorized);
  }

  #failed(address: string, wrong: RegistryRejection): RegistryRejection {
    return refuseCredential(wrong, this.#failures.failed(address));
  }
}
