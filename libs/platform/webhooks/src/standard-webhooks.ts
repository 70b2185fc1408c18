import { createHmac, timingSafeEqual } from 'node:crypto';

/** A message as the specification of Standard Webhooks signs it: the body is the text that is sent, byte for byte. */
interface WebhookMessage {
  /** The same for every attempt: receivers drop what they have seen. */
  readonly id: string;
  /** Of the attempt, seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

interface WebhookHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** Why a message is not believed. */
type WebhookFault = 'header' | 'timestamp' | 'signature';

const SECRET_PREFIX = 'whsec_';
/** Receivers and senders may differ by five minutes. */
const TOLERANCE_S = 300;
const MAX_ID = 255;
/** A sender that changes its secret signs with the old one too. */
const MAX_SIGNATURES = 10;

/** The secret in the form that is shown to its owner. */
export function webhookSecret(key: Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(key).toString('base64')}`;
}

/** The bytes that sign. A secret without the prefix is taken as it is: some senders never adopted it. */
export function webhookKey(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}

export function signWebhook(message: WebhookMessage, key: Uint8Array): WebhookHeaders {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': `v1,${digest(message, key).toString('base64')}`,
  };
}

/**
 * Null: the message is what the owner of the key signed, within five minutes of `nowS`. A message that was seen before is not
 * told apart: who must not act twice keeps the ids.
 */
export function webhookFault(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
  key: Uint8Array,
  nowS: number,
): WebhookFault | null {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name]);
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signatures !== 'string') return 'header';
  if (id === '' || id.length > MAX_ID || id.includes('.') || !/^\d{1,15}$/.test(time)) return 'header';
  const timestamp = Number(time);
  if (Math.abs(nowS - timestamp) > TOLERANCE_S) return 'timestamp';
  // The time is signed in the spelling of the header.
  const expected = digest({ id, timestamp: time, body }, key);
  const given = signatures.split(' ').slice(0, MAX_SIGNATURES);
  return given.some((signature) => isOf(signature, expected)) ? null : 'signature';
}

function isOf(signature: string, expected: Buffer): boolean {
  const [version, text = ''] = signature.split(',', 2);
  const bytes = version === 'v1' ? Buffer.from(text, 'base64') : null;
  return bytes !== null && bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

function digest(
  { id, timestamp, body }: Omit<WebhookMessage, 'timestamp'> & { timestamp: number | string },
  key: Uint8Array,
): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
}
