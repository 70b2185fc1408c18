import { sign } from 'node:crypto';
import { newServiceKeyPair } from '@heddle/platform-service-calls';

export const keys = newServiceKeyPair();
/** All servers of these specs have one service name. */
const AUDIENCE = 'called';
export const TOKENS = { publicKeys: [keys.publicKey], audience: AUDIENCE };
const HOUR_S = 3_600;

/** A token that is signed without Heddle's code, like a foreign implementation. */
export function tokenOf(service: string, deploymentId: string | null = null, claims: object = {}): string {
  const bound = deploymentId === null ? {} : { dep: deploymentId };
  return signedToken(keys.privateKey, { sub: service, ...bound, ...claims });
}

/** A token with these claims; default audience and an expiry in one hour. */
export function signedToken(privateKey: string, claims: Readonly<Record<string, unknown>>): string {
  const own = { aud: AUDIENCE, exp: Math.floor(Date.now() / 1_000) + HOUR_S };
  const text = [{ alg: 'EdDSA' }, { ...own, ...claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}
