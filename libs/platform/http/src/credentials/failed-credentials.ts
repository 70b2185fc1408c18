import { TokenBuckets } from './token-buckets.js';

/** Wrong credentials a minute from one address, unless the operator sets another number. */
export const AUTH_FAILURES = 60;

const MINUTE_S = 60;

/** Counts wrong credentials by address: above a number per minute the address must wait (accounts, Failed attempts). */
export class FailedCredentials {
  readonly #buckets: TokenBuckets;

  constructor(perMinute: number, now?: () => number) {
    this.#buckets = new TokenBuckets(perMinute / MINUTE_S, perMinute, now);
  }

  /** Counts one more, and never a right one. The seconds to wait for, or null while the address may go on. */
  failed(address: string): number | null {
    return this.#buckets.take(address);
  }
}
