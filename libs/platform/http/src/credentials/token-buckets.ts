/** Beyond this, new accounts evict the oldest: memory stays bounded. */
const MAX_ACCOUNTS = 100_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** A token bucket each for accounts or addresses: `rate` per second, `burst` at once. */
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

  /** Takes one token, or returns the whole seconds, at least one, until the next one. */
  take(account: string, rate = this.#rate, burst = this.#burst): number | null {
    const now = this.#now();
    const bucket = this.#bucketOf(account, burst, now);
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * rate);
    bucket.at = now;
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return null;
    }
    const waitSeconds = rate > 0 ? (1 - bucket.tokens) / rate : 1;
    return Math.max(1, Math.ceil(waitSeconds));
  }

  /** The account has so many tokens now. */
  put(account: string, tokens: number): void {
    const now = this.#now();
    const bucket = this.#bucketOf(account, tokens, now);
    bucket.tokens = tokens;
    bucket.at = now;
  }

  #bucketOf(account: string, burst: number, now: number): Bucket {
    const known = this.#buckets.get(account);
    if (known !== undefined) return known;
    const oldest = this.#buckets.keys().next();
    if (this.#buckets.size >= MAX_ACCOUNTS && !oldest.done) this.#buckets.delete(oldest.value);
    const bucket = { tokens: burst, at: now };
    this.#buckets.set(account, bucket);
    return bucket;
  }
}
