import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Secret } from '@heddle/contracts-messages';
import type { VendorName } from '@heddle/partner-proxy-domain';
import { webhookFault, webhookKey } from '@heddle/platform-webhooks';

/** A callback as it came. */
export interface ReceivedCallback {
  /** Of the URL that the vendor was given, with the prefix of the registry. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface VendorSecrets {
  readonly video: Secret | null;
  readonly image: Secret | null;
}

const TOLERANCE_MS = 300_000;
const MAX_NONCE = 255;
const MAX_SIGNED_HEADERS = 20;

/** Which callbacks are believed. */
export class VendorSignatures {
  constructor(
    private readonly secrets: VendorSecrets,
    private readonly now: () => number = Date.now,
  ) {}

  /** The nonce of a callback whose signature and date hold; null: it is not believed. */
  nonceOf(vendor: VendorName, callback: ReceivedCallback): string | null {
    const secret = this.secrets[vendor];
    if (secret === null) return null;
    return vendor === 'video' ? this.#video(callback, secret.reveal()) : this.#image(callback, secret.reveal());
  }

  /** The body is not signed: only the task's state at the vendor counts (reference, registry 4.1). */
  #video({ path, query, headers }: ReceivedCallback, key: string): string | null {
    const { date, 'x-request-nonce': nonce } = headers;
    const algorithm = headers['x-hmac-algorithm'];
    const accessKey = headers['x-hmac-access-key'];
    const signature = headers['x-hmac-signature'];
    const signed = String(headers['x-hmac-signed-headers'] ?? '').toLowerCase();
    if (algorithm !== 'hmac-sha256' || typeof accessKey !== 'string' || typeof signature !== 'string') return null;
    if (typeof nonce !== 'string' || nonce === '' || nonce.length > MAX_NONCE || nonce.includes('\u0000')) return null;
    const age = Math.abs(this.now() - Date.parse(date ?? ''));
    const names = signed.split(';').map((name) => name.trim());
    // A nonce that is not signed could be any.
    if (!(age <= TOLERANCE_MS) || names.length > MAX_SIGNED_HEADERS || !names.includes('x-request-nonce')) return null;
    const lines = names.map((name) => `${name}:${String(headers[name] ?? '')}`);
    const text = ['POST', path, query, accessKey, date, ...lines, ''].join('\n');
    return isEqual(createHmac('sha256', key).update(text).digest(), Buffer.from(signature, 'base64')) ? nonce : null;
  }

  #image({ headers, body }: ReceivedCallback, secret: string): string | null {
    const fault = webhookFault(headers, body, webhookKey(secret), this.now() / 1_000);
    return fault === null ? (headers['webhook-id'] as string) : null;
  }
}

function isEqual(expected: Buffer, given: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
