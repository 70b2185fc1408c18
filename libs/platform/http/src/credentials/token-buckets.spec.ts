import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.js';

describe('the rate limit of job reads (decisions, Rate limits)', () => {
  const at = { ms: 0 };
  const fresh = (rate: number, burst: number): TokenBuckets => new TokenBuckets(rate, burst, () => at.ms);
  const taken = (buckets: TokenBuckets, account: string, times: number): number =>
    Array.from({ length: times }, () => buckets.take(account)).filter((wait) => wait === null).length;

  it('lets a burst through, then the steady rate', () => {
    const buckets = fresh(50, 200);
    expect(taken(buckets, 'a', 500)).toBe(200);
    at.ms += 1_000;
    expect(taken(buckets, 'a', 500)).toBe(50);
  });

  it('never saves up more than a burst', () => {
    const buckets = fresh(50, 200);
    taken(buckets, 'a', 200);
    at.ms += 3_600_000;
    expect(taken(buckets, 'a', 500)).toBe(200);
  });

  it('counts each account for itself', () => {
    const buckets = fresh(1, 2);
    expect(taken(buckets, 'a', 9)).toBe(2);
    expect(taken(buckets, 'b', 9)).toBe(2);
  });

  it('says in whole seconds, at least one, when to come back; then there is a place', () => {
    const buckets = fresh(0.25, 1);
    taken(buckets, 'a', 1);
    const refused = buckets.take('a');
    expect(refused).toBe(4);
    at.ms += 4_000;
    expect(buckets.take('a')).toBeNull();
    expect(fresh(50, 0).take('a')).toBe(1);
  });

  it('meets nobody who polls 25 jobs twice a second', () => {
    const buckets = fresh(50, 200);
    for (let second = 0; second < 60; second += 1) {
      expect(taken(buckets, 'a', 50)).toBe(50);
      at.ms += 1_000;
    }
  });
});
