import { Inject, Injectable, Optional } from '@nestjs/common';
import { KEY_CHECK } from '@heddle/contracts-messages';
import type { AccountId, KeyCheck } from '@heddle/contracts-messages';
import { CALLER_REFUSALS, refuseCredential, refuseHead, refuseRegistry } from '@heddle/contracts-registry';
import type { RegistryRejection } from '@heddle/contracts-registry';
import { PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import { AccountCredential, bearerIn, TokenBuckets } from '@heddle/platform-http';
import { FailedCredentials } from '@heddle/platform-http/failed-credentials';
import type { FastifyRequest } from 'fastify';
import { busyRefusal } from '../refuse-busy/busy-refusal.js';
import { RegistrySettings } from '../settings.js';
import { admitCaller } from './caller.js';
import type { VerifiedToken } from './caller.js';
import { TokenCheck } from './token-check.js';

const { unauthorized, invalidToken, suspended } = CALLER_REFUSALS;
const UPLOADS = '/uploads/';

/** Tokens are looked up in the database, for which a crowd of requests waits. */
function busyOrThrow(error: unknown): RegistryRejection {
  const refusal = busyRefusal(error);
  if (refusal === null) throw error;
  return refusal;
}

/** Whose request it is. A bearer that is there and wrong is refused on every route (registry decisions, Account credential). */
@Injectable()
export class RegistryGate {
  readonly #accounts: AccountCredential;
  readonly #reads: TokenBuckets;

  constructor(
    private readonly settings: RegistrySettings,
    private readonly tokens: TokenCheck,
    private readonly failures: FailedCredentials,
    @Optional() @Inject(KEY_CHECK) keys: KeyCheck | null,
  ) {
    this.#accounts = new AccountCredential(settings, keys);
    this.#reads = new TokenBuckets(settings.readRate, settings.readBurst);
  }

  async admit(request: FastifyRequest): Promise<RegistryRejection | null> {
    const { ip: address, headers, method } = request;
    const target = request.raw.url ?? '';
    const unreadable = refuseHead(target, headers['idempotency-key']);
    if (unreadable !== null) return unreadable;
    // The URL of an upload carries its own permission: a credential beside it is not read.
    if (target.startsWith(UPLOADS)) {
      admitCaller(request, { accountId: null, token: null, address });
      return null;
    }
    const found = await this.#caller(headers.authorization, address).catch(busyOrThrow);
    if ('code' in found) return found;
    admitCaller(request, { ...found, address });
    return method === 'GET' || method === 'HEAD' ? this.#read(address) : null;
  }

  async #caller(
    authorization: string | undefined,
    address: string,
  ): Promise<RegistryRejection | { readonly accountId: AccountId | null; readonly token: VerifiedToken | null }> {
    if (authorization === undefined) return { accountId: this.#accounts.open, token: null };
    const bearer = bearerIn(authorization);
    if (bearer === null) return unauthorized;
    if (bearer.startsWith(PUBLISHER_TOKEN.prefix)) {
      const token = await this.tokens.find(bearer);
      return token === null ? this.#failed(address, invalidToken) : { accountId: null, token };
    }
    const found = await this.#accounts.find(authorization);
    if ('accountId' in found) return { accountId: found.accountId, token: null };
    return found.fault === 'suspended' ? suspended : this.#failed(address, unauthorized);
  }

  #failed(address: string, wrong: RegistryRejection): RegistryRejection {
    return refuseCredential(wrong, this.failures.failed(address));
  }

  #read(address: string): RegistryRejection | null {
    const retryAfterSeconds = this.#reads.take(address);
    const rate = this.settings.readRate;
    return retryAfterSeconds === null
      ? null
      : refuseRegistry('rate_limited', { case: 'reads', rate }, { retryAfterSeconds });
  }
}
