import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { RepeatGuard } from '@heddle/platform-telemetry';
import { compactVerify, decodeJwt, errors } from 'jose';
import type { ServiceIdentity } from './service-token.js';

const MAX_CACHED = 1_000;
const MAX_TOKEN_LENGTH = 2_048;
/** Clock skew between machines: a token is accepted for this time after its expiry. */
const CLOCK_SKEW_MS = 30_000;
/** Interval between log lines per service: the holder of an old token calls all the time. */
const OLD_TOKEN_LINE_MS = 3_600_000;
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

type Verified =
  | { readonly ok: true; readonly identity: ServiceIdentity }
  /** Names what is wrong with the token, and contains no part of it. */
  | { readonly ok: false; readonly reason: string };

interface Claims {
  readonly identity: ServiceIdentity;
  /** Null: a token of a version before audiences */
  readonly audiences: readonly string[] | null;
  readonly expiresAtMs: number;
}

export interface TokenRules {
  /** PEM texts (SPKI). A token signed by any of these keys is accepted. */
  readonly publicKeys: readonly string[];
  /** The called service. A token for another service is refused. */
  readonly audience: string;
  /** True: also refuse tokens without an audience, which older versions issued. */
  readonly requireAudience?: boolean;
  /** Called once per hour and service when a token without an audience is accepted. */
  withoutAudience?(service: string): void;
}

/**
 * Reads the caller from the Authorization header. Verifies the signature once per token, and the expiry with every call.
 * Several public keys allow a key change without downtime.
 */
export class TokenVerifier {
  readonly #keys: readonly KeyObject[];
  readonly #rules: TokenRules;
  readonly #signed = new Map<string, Claims>();
  readonly #oldTokens = new RepeatGuard(OLD_TOKEN_LINE_MS);

  /** Throws if a key is not Ed25519. */
  constructor(rules: TokenRules) {
    this.#rules = rules;
    if (rules.publicKeys.length === 0) throw new Error('at least one public key of service identity is needed');
    this.#keys = rules.publicKeys.map((pem) => createPublicKey(pem));
    if (this.#keys.some((key) => key.asymmetricKeyType !== 'ed25519')) {
      throw new Error('a public key of service identity must be Ed25519');
    }
  }

  async verify(authorization: string | undefined): Promise<Verified> {
    if (authorization === undefined) return refused('there is no service token: send Authorization: Bearer <token>');
    const known = this.#signed.get(authorization) ?? (await this.#read(authorization));
    return typeof known === 'string' ? refused(known) : this.#judge(known);
  }

  /** Resolves with the claims of a signed token, or with the reason of a refusal. Caches only signed tokens. */
  async #read(authorization: string): Promise<Claims | string> {
    if (authorization.length > MAX_TOKEN_LENGTH) return 'the service token is too long';
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) return 'the Authorization header holds no service token of the form Bearer a.b.c';
    const failure = await this.#signatureFailure(token);
    if (failure !== null) return failure;
    const claims = claimsOf(token);
    if (claims === null) return 'the service token must have the claims sub, aud and exp';
    if (this.#signed.size >= MAX_CACHED) this.#signed.clear();
    this.#signed.set(authorization, claims);
    return claims;
  }

  async #signatureFailure(token: string): Promise<string | null> {
    for (const key of this.#keys) {
      try {
        await compactVerify(token, key, { algorithms: ['EdDSA'] });
        return null;
      } catch (error) {
        if (error instanceof errors.JWSSignatureVerificationFailed) continue;
        return 'the service token must be signed with EdDSA (Ed25519)';
      }
    }
    return 'the service token was not signed by the key that this service trusts';
  }

  #judge({ identity, audiences, expiresAtMs }: Claims): Verified {
    const whose = `the service token of ${identity.service}`;
    if (Date.now() >= expiresAtMs + CLOCK_SKEW_MS) {
      return refused(`${whose} expired at ${new Date(expiresAtMs).toISOString()}`);
    }
    const { audience, requireAudience = false, withoutAudience } = this.#rules;
    if (audiences === null) {
      if (requireAudience) return refused(`${whose} names no audience: issue a new one (heddle service-token)`);
      if (this.#oldTokens.admit(identity.service) !== null) withoutAudience?.(identity.service);
    } else if (!audiences.includes(audience)) {
      return refused(`${whose} is for ${audiences.join(', ')}, and this is the ${audience} service`);
    }
    return { ok: true, identity };
  }
}

function refused(reason: string): Verified {
  return { ok: false, reason };
}

/** The claims of a signed token; null if a claim is missing or has another type. */
function claimsOf(token: string): Claims | null {
  let claims: Record<string, unknown>;
  try {
    claims = decodeJwt(token);
  } catch {
    return null;
  }
  const { sub, aud, exp, dep = null, rev = 0 } = claims;
  // A name or a list of names (RFC 7519).
  const audiences: unknown[] | null = aud === undefined ? null : [aud].flat();
  if (audiences?.every((name) => typeof name === 'string') === false) return null;
  if (typeof sub !== 'string' || typeof exp !== 'number' || !(exp > 0 && exp < 1e11)) return null;
  if (dep !== null && typeof dep !== 'string') return null;
  if (typeof rev !== 'number' || !Number.isSafeInteger(rev) || rev < 0) return null;
  return {
    identity: { service: sub, deploymentId: dep, revision: rev },
    audiences: audiences as string[] | null,
    expiresAtMs: exp * 1000,
  };
}
