import { sign } from 'node:crypto';
import { newServiceKeyPair } from '@heddle/platform-service-calls';

export const keys = newServiceKeyPair();
/** All servers of these specs go by one name. */
const AUDIENCE = 'called';
export const TOKENS = { publicKeys: [keys.publicKey], audience: AUDIENCE };
const HOUR_S = 3_600;

/** Signed here, as an implementation other than ours would do it. */
export function tokenOf(service: string, deploymentId: string | null = null, lifeSeconds = HOUR_S): string {
  const exp = Math.floor(Date.now() / 1_000) + lifeSeconds;
  return signedToken(keys.privateKey, { sub: service, exp, ...(deploymentId === null ? {} : { dep: deploymentId }) });
}

/** For the servers of these specs and an hour, where the claims say nothing else. */
export function signedToken(privateKey: string, claims: Readonly<Record<string, unknown>>): string {
  const own = { aud: AUDIENCE, exp: Math.floor(Date.now() / 1_000) + HOUR_S };
  const text = [{ alg: 'EdDSA' }, { ...own, ...claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}
