import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { ServiceIdentity } from './service-token.js';

const MOST_CACHED = 1_000;
const LONGEST_TOKEN = 2_048;
const BEARER = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/;

export type Verified =
  | { readonly ok: true; readonly identity: ServiceIdentity }
  /** Says what is wrong with the token, and never holds any of it. */
  | { readonly ok: false; readonly reason: string };

interface Known {
  readonly identity: ServiceIdentity;
  readonly expiresAtMs: number;
}

/**
 * Reads who calls from the Authorization header. A signature is checked once per token, not once per call; the expiry
 * with every call. Several public keys may be given, so that keys can be changed without a pause.
 */
export class TokenVerifier {
  readonly #keys: readonly KeyObject[];
  readonly #known = new Map<string, Known>();

  /** Keys are PEM texts (SPKI). Throws for one that is not Ed25519. */
  constructor(publicKeys: readonly string[]) {
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
    if (known !== undefined) return this.#unlessExpired(known);
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
    if (fresh === null) return refused('the service token must have the claims sub and exp');
    this.#remember(authorization, fresh);
    return this.#unlessExpired(fresh);
  }

  #unlessExpired({ identity, expiresAtMs }: Known): Verified {
    if (Date.now() < expiresAtMs) return { ok: true, identity };
    return refused(`the service token of ${identity.service} expired at ${new Date(expiresAtMs).toISOString()}`);
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
  if (typeof sub !== 'string' || typeof exp !== 'number' || !(exp > 0 && exp < 1e11)) return null;
  if (dep !== null && typeof dep !== 'string') return null;
  return { identity: { service: sub, deploymentId: dep }, expiresAtMs: exp * 1000 };
}
