import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';

/** Who makes a call: a service of Heddle, and for a worker of one deployment which. */
export interface ServiceIdentity {
  /** e.g. `gateway` */
  readonly service: string;
  /** Null: not bound to one deployment. */
  readonly deploymentId: string | null;
}

export interface ServiceClaims extends ServiceIdentity {
  /** The one service that may be called with it, e.g. `jobs`; another one refuses it. */
  readonly audience: string;
  /** Seconds since 1970: from then on the token opens nothing. */
  readonly expiresAt: number;
}

export interface ServiceKeyPair {
  /** PEM (PKCS 8): stays with the operator, no service has it. */
  readonly privateKey: string;
  /** PEM (SPKI): every service that is called has it. */
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
 * A token that proves to one other service who calls: a JWT signed with Ed25519 (RFC 8037), claims `sub` (service), `aud`
 * (the called service), `dep` (deployment) and `exp`. Rejects when a claim or the key is not valid.
 */
export async function issueServiceToken(privateKey: string, claims: ServiceClaims): Promise<string> {
  const { service, audience, deploymentId, expiresAt } = claims;
  for (const name of [service, audience]) {
    if (!SERVICE_NAME.test(name)) throw new Error(`'${name}' is not a valid name of a service, e.g. gateway`);
  }
  if (!Number.isSafeInteger(expiresAt) || expiresAt <= 0) throw new Error('expiresAt must be whole seconds since 1970');
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the private key must be an Ed25519 key in PEM form');
  const deployment = deploymentId === null ? {} : { dep: deploymentId };
  return await new SignJWT({ sub: service, aud: audience, ...deployment, exp: expiresAt })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .sign(key);
}
