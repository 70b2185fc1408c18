import { refuse } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';

/** Beyond this, new accounts evict the oldest: memory stays bounded. */
const MAX_ACCOUNTS = 100_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** A token bucket per account (decisions, Rate limits): `rate` per second, `burst` at once, per gateway process. */
export class TokenBuckets {
  readonly #rate: number;
  readonly #burst: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: number, burst: number, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#burst = burst;
    this.#now = now;
  }

  /** Takes one token, or returns a rejection with the time of the next one. */
  take(account: string): Rejection | null {
    const now = this.#now();
    const bucket = this.#bucketOf(account, now);
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#rate);
    bucket.at = now;
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return null;
    }
    const waitSeconds = this.#rate > 0 ? (1 - bucket.tokens) / this.#rate : 1;
    const retryAfterSeconds = Math.max(1, Math.ceil(waitSeconds));
    return refuse('rate_limited', { case: 'job_reads', rate: this.#rate }, { retryAfterSeconds });
  }

  #bucketOf(account: string, now: number): Bucket {
    const known = this.#buckets.get(account);
    if (known !== undefined) return known;
    const oldest = this.#buckets.keys().next();
    if (this.#buckets.size >= MAX_ACCOUNTS && !oldest.done) this.#buckets.delete(oldest.value);
    const bucket = { tokens: this.#burst, at: now };
    this.#buckets.set(account, bucket);
    return bucket;
  }
}
