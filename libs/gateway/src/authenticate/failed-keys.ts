import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';
import { TokenBuckets } from '@heddle/platform-http';

const MINUTE_S = 60;

/** Wrong keys by address: beyond a number a minute they are told to wait (accounts, Failed attempts). */
export class FailedKeys {
  readonly #buckets: TokenBuckets;

  constructor(perMinute: number, now?: () => number) {
    this.#buckets = new TokenBuckets(perMinute / MINUTE_S, perMinute, now);
  }

  /** Counts one more wrong key; a right key is never asked about. */
  failed(address: string): Rejection | null {
    const retryAfterSeconds = this.#buckets.take(address);
    return retryAfterSeconds === null ? null : refuse('rate_limited', { case: 'wrong_keys' }, { retryAfterSeconds });
  }
}
