import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

/**
 * The password of a service role: derived from the owner's, so that every process that knows the owner's URL knows it,
 * nothing has to be stored, and a new owner password renews all of them.
 */
export function rolePassword(ownerPassword: string, role: string): string {
  return createHmac('sha256', ownerPassword).update(`heddle service role ${role}`).digest('base64url');
}

/** Tells whether a role still has the password that we would give it, and betrays nothing about it. */
export function passwordFingerprint(password: string): string {
  return createHash('sha256').update(`heddle fingerprint ${password}`).digest('hex').slice(0, 32);
}

const ITERATIONS = 4096;

/**
 * What PostgreSQL stores instead of a password (RFC 5803). Statements carry this form: neither the server's log
 * nor a message to an administrator ever shows a password.
 */
export function scramVerifier(password: string, role: string): string {
  const salt = createHash('sha256').update(`${role}:${password}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const stored = createHash('sha256').update(createHmac('sha256', salted).update('Client Key').digest()).digest();
  const server = createHmac('sha256', salted).update('Server Key').digest();
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored.toString('base64')}:${server.toString('base64')}`;
}
