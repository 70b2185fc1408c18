import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';

/** The caller of a call: a service of Heddle, and the deployment of a worker that is bound to one. */
export interface ServiceIdentity {
  /** For example `gateway` */
  readonly service: string;
  /** Null: not bound to one deployment */
  readonly deploymentId: string | null;
  /** Revision of the deployment's environment; 0: of no revision */
  readonly revision: number;
}

export interface ServiceClaims extends Omit<ServiceIdentity, 'revision'> {
  readonly revision?: number;
  /** The one service that accepts the token, for example `jobs`. */
  readonly audience: string;
  /** Expiry of the token, in seconds since 1970 */
  readonly expiresAt: number;
}

interface ServiceKeyPair {
  /** PEM (PKCS 8). Only the operator holds it; no service does. */
  readonly privateKey: string;
  /** PEM (SPKI). Every called service holds it. */
  readonly publicKey: string;
}

const SERVICE_NAME = /^[a-z][a-z0-9-]{0,31}$/;

export function newServiceKeyPair(): ServiceKeyPair {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/**
 * Issues a token that identifies the caller to one called service: a JWT signed with Ed25519 (RFC 8037). Claims: `sub`
 * (service), `aud` (called service), `dep` (deployment),
 * `rev` (its revision), `exp`. Rejects if a claim or the key is invalid.
 */
export async function issueServiceToken(privateKey: string, claims: ServiceClaims): Promise<string> {
  const { service, audience, deploymentId, revision = 0, expiresAt } = claims;
  for (const name of [service, audience]) {
    if (!SERVICE_NAME.test(name)) throw new Error(`'${name}' is not a valid name of a service, e.g. gateway`);
  }
  if (!Number.isSafeInteger(expiresAt) || expiresAt <= 0) throw new Error('expiresAt must be whole seconds since 1970');
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the private key must be an Ed25519 key in PEM form');
  const deployment = deploymentId === null ? {} : { dep: deploymentId };
  const pinned = revision === 0 ? {} : { rev: revision };
  return await new SignJWT({ sub: service, aud: audience, ...deployment, ...pinned, exp: expiresAt })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .sign(key);
}
