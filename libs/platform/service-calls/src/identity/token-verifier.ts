import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { RepeatGuard } from '@heddle/platform-telemetry';
import type { ServiceIdentity } from './service-token.js';

const MOST_CACHED = 1_000;
const LONGEST_TOKEN = 2_048;
/** Clocks of two machines differ: a token that lives for minutes is taken for so long after its expiry. */
const CLOCK_SKEW_MS = 30_000;
/** One line an hour and service is enough: whoever holds an old token calls all the time. */
const OLD_TOKEN_LINE_MS = 3_600_000;
const BEARER = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/;

export type Verified =
  | { readonly ok: true; readonly identity: ServiceIdentity }
  /** Says what is wrong with the token, and never holds any of it. */
  | { readonly ok: false; readonly reason: string };

interface Known {
  readonly identity: ServiceIdentity;
  /** Null: a token of a version before audiences. */
  readonly audiences: readonly string[] | null;
  readonly expiresAtMs: number;
}

export interface TokenRules {
  /** PEM texts (SPKI); tokens signed by any of them are believed. */
  readonly publicKeys: readonly string[];
  /** The service that is called: a token for another one is refused. */
  readonly audience: string;
  /** A token without an audience, as versions before audiences issued them, is refused too. */
  readonly requireAudience?: boolean;
  /** Told once an hour and service of a token without an audience that was accepted. */
  withoutAudience?(service: string): void;
}

/**
 * Reads who calls from the Authorization header. A signature is checked once per token, not once per call; the expiry
 * with every call. Several public keys may be given, so that keys can be changed without a pause.
 */
export class TokenVerifier {
  readonly #keys: readonly KeyObject[];
  readonly #rules: TokenRules;
  readonly #known = new Map<string, Known>();
  readonly #oldTokens = new RepeatGuard(OLD_TOKEN_LINE_MS);

  /** Throws for a key that is not Ed25519. */
  constructor(rules: TokenRules) {
    this.#rules = rules;
    const { publicKeys } = rules;
    if (publicKeys.length === 0) throw new Error('at least one public key of service identity is needed');
    this.#keys = publicKeys.map((pem) => {
      const key = createPublicKey(pem);
      if (key.asymmetricKeyType !== 'ed25519') throw new Error('a public key of service identity must be Ed25519');
      return key;
    });
  }

  verify(authorization: string | undefined): Verified {
    if (authorization === undefined) return refused('there is no service token: send Authorization: Bearer <token>');
    const known = this.#known.get(authorization);
    if (known !== undefined) return this.#judge(known);
    if (authorization.length > LONGEST_TOKEN) return refused('the service token is too long to be one');
    const parts = BEARER.exec(authorization);
    if (parts === null) return refused('the Authorization header holds no service token of the form Bearer a.b.c');
    const [, header = '', claims = '', signature = ''] = parts;
    if (read(header)?.['alg'] !== 'EdDSA') return refused('the service token must be signed with EdDSA (Ed25519)');
    const signed = Buffer.from(`${header}.${claims}`);
    const bytes = Buffer.from(signature, 'base64url');
    if (!this.#keys.some((key) => verify(null, signed, key, bytes))) {
      return refused('the service token was not signed by the key that this service trusts');
    }
    const fresh = knownOf(read(claims));
    if (fresh === null) return refused('the service token must have the claims sub, aud and exp');
    this.#remember(authorization, fresh);
    return this.#judge(fresh);
  }

  #judge({ identity, audiences, expiresAtMs }: Known): Verified {
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

  /** Only what was really signed gets a place, so nobody else can push entries out. */
  #remember(authorization: string, known: Known): void {
    if (this.#known.size >= MOST_CACHED) this.#known.clear();
    this.#known.set(authorization, known);
  }
}

function refused(reason: string): Verified {
  return { ok: false, reason };
}

function read(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function knownOf(claims: Record<string, unknown> | null): Known | null {
  const { sub, exp, dep = null } = claims ?? {};
  const audiences = audiencesOf(claims);
  if (audiences === undefined) return null;
  if (typeof sub !== 'string' || typeof exp !== 'number' || !(exp > 0 && exp < 1e11)) return null;
  if (dep !== null && typeof dep !== 'string') return null;
  return { identity: { service: sub, deploymentId: dep }, audiences, expiresAtMs: exp * 1000 };
}

/** A name or a list of names (RFC 7519); null where there is no claim, undefined where it is neither. */
function audiencesOf(claims: Record<string, unknown> | null): readonly string[] | null | undefined {
  const aud = claims?.['aud'];
  if (aud === undefined) return null;
  const list: unknown[] = Array.isArray(aud) ? aud : [aud];
  return list.every((name) => typeof name === 'string') ? list : undefined;
}
