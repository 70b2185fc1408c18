import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

/**
 * A service role's password, derived from the owner's: every process with the owner's URL can compute it, nothing is
 * stored, and a new owner password renews all of them.
 */
export function rolePassword(ownerPassword: string, role: string): string {
  return createHmac('sha256', ownerPassword).update(`heddle service role ${role}`).digest('base64url');
}

/** Detects whether a role still has the derived password, without revealing it. */
export function passwordFingerprint(password: string): string {
  return createHash('sha256').update(`heddle fingerprint ${password}`).digest('hex').slice(0, 32);
}

const ITERATIONS = 4096;

/**
 * The form that PostgreSQL stores instead of a password (RFC 5803). Statements carry this form, so that neither the
 * server's log nor a message to an administrator shows a password.
 */
export function scramVerifier(password: string, role: string): string {
  const salt = createHash('sha256').update(`${role}:${password}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const stored = createHash('sha256').update(createHmac('sha256', salted).update('Client Key').digest()).digest();
  const server = createHmac('sha256', salted).update('Server Key').digest();
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored.toString('base64')}:${server.toString('base64')}`;
}
