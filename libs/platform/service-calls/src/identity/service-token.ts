import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

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

export const TOKEN_HEADER = '{"alg":"EdDSA","typ":"JWT"}';
const SERVICE_NAME = /^[a-z][a-z0-9-]{0,31}$/;

export function newServiceKeyPair(): ServiceKeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/**
 * A token that proves to one other service who calls: a JWT signed with Ed25519 (RFC 8037), claims `sub` (service), `aud`
 * (the called service), `dep` (deployment) and `exp`. Throws where a claim or the key cannot be right.
 */
export function issueServiceToken(privateKey: string, claims: ServiceClaims): string {
  const { service, audience, deploymentId, expiresAt } = claims;
  for (const name of [service, audience]) {
    if (!SERVICE_NAME.test(name)) throw new Error(`'${name}' is not a valid name of a service, e.g. gateway`);
  }
  if (!Number.isSafeInteger(expiresAt) || expiresAt <= 0) throw new Error('expiresAt must be whole seconds since 1970');
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the private key must be an Ed25519 key in PEM form');
  const deployment = deploymentId === null ? {} : { dep: deploymentId };
  const body = { sub: service, aud: audience, ...deployment, exp: expiresAt };
  const signed = `${base64url(TOKEN_HEADER)}.${base64url(JSON.stringify(body))}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
