import { describe, expect, it } from 'vitest';
import { VendorBreaker } from './vendor-breaker.js';

function breaker(): { readonly breaker: VendorBreaker; readonly clock: { now: number } } {
  const clock = { now: 1_000_000 };
  return { breaker: new VendorBreaker(() => clock.now), clock };
}

describe('the breaker of a vendor', () => {
  it('rests for 10 s after 5 failures in a row, not after 4', () => {
    const { breaker: one } = breaker();
    for (let n = 0; n < 4; n += 1) one.failed();
    expect(one.admit()).toBe(0);
    one.failed();
    expect(one.admit()).toBe(10_000);
  });

  it('counts failures in a row: a success begins anew', () => {
    const { breaker: one } = breaker();
    for (let n = 0; n < 4; n += 1) one.failed();
    one.succeeded();
    for (let n = 0; n < 4; n += 1) one.failed();
    expect(one.admit()).toBe(0);
  });

  it('lets one call through after its rest, which decides for all', () => {
    const { breaker: one, clock } = breaker();
    for (let n = 0; n < 5; n += 1) one.failed();
    clock.now += 10_000;
    expect([one.admit(), one.admit()]).toEqual([0, 10_000]);
    one.failed();
    clock.now += 9_999;
    expect(one.admit()).toBe(1);
    clock.now += 1;
    expect(one.admit()).toBe(0);
    one.succeeded();
    expect([one.admit(), one.admit()]).toEqual([0, 0]);
  });
});
