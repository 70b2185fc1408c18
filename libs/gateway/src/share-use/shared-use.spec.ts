import { describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, AccountStanding, ReportedUse } from '@heddle/contracts-messages';
import { ReadLimit } from '../limit-job-reads/read-limit.js';
import { StreamSlots } from '../stream-job-events/stream-slots.js';

const [RATE, BURST] = [50, 200];

/** Gateways and what their reports add up to, every 250 ms of a clock of their own. */
class Gateways {
  ms = 0;
  readonly account = newUuid() as AccountId;
  readonly all: readonly { readonly reads: ReadLimit; readonly streams: StreamSlots }[];
  #tokens = BURST;
  #settledAt = 0;
  #lastUse: number[];

  constructor(count: number, perAccount = 256) {
    this.#lastUse = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY);
    this.all = Array.from({ length: count }, () => {
      const reads = new ReadLimit(RATE, BURST, () => this.ms);
      const streams = new StreamSlots(perAccount, 10_000);
      reads.share(() => undefined);
      streams.share(() => undefined);
      reads.settled(count, []);
      streams.settled(count, []);
      return { reads, streams };
    });
  }

  take(at: number): boolean {
    return this.all[at]!.reads.take(this.account, RATE, BURST) === null;
  }

  report(): void {
    for (const [at, { reads, streams }] of this.all.entries()) {
      const mine = reads.report().get(this.account) ?? null;
      const open = streams.report(true).get(this.account) ?? 0;
      if (mine === null && open === 0) continue;
      const standing = this.#add(at, { accountId: this.account, reads: mine, streams: open });
      reads.settled(this.all.length, [standing]);
      streams.settled(this.all.length, [standing]);
    }
  }

  #add(at: number, { accountId, reads }: ReportedUse): AccountStanding {
    const grown = this.#tokens + ((this.ms - this.#settledAt) / 1000) * RATE;
    this.#tokens = Math.max(-BURST, Math.min(BURST, grown) - (reads?.count ?? 0));
    this.#settledAt = this.ms;
    this.#lastUse[at] = this.ms;
    const users = this.#lastUse.filter((used) => used > this.ms - 2_000).length;
    const otherStreams = this.all.reduce(
      (sum, { streams }, other) => (other === at ? sum : sum + streams.openOf(accountId)),
      0,
    );
    return { accountId, tokens: reads === null ? null : this.#tokens, otherStreams, gateways: users };
  }
}

describe('the limits of an account over several gateways', () => {
  it.each([
    ['both at once', (n: number) => n % 2],
    ['one alone', () => 0],
    ['one much more than the other', (n: number) => (n % 10 === 0 ? 1 : 0)],
    ['one after the other', (_: number, ms: number) => Math.floor(ms / 3_000) % 2],
  ])('let through the rate and the burst, within a tenth, where a flood uses %s', (_, choose) => {
    const gateways = new Gateways(2);
    let passed = 0;
    for (; gateways.ms < 20_000; gateways.ms += 10) {
      for (let n = 0; n < 8; n += 1) if (gateways.take(choose(gateways.ms / 10 + n, gateways.ms))) passed += 1;
      if (gateways.ms % 250 === 20) gateways.report();
    }
    const allowed = BURST + RATE * 20;
    expect(passed).toBeGreaterThan(allowed * 0.9);
    expect(passed).toBeLessThan(allowed * 1.1);
  });

  it('refuse nobody who stays below the rate', () => {
    const gateways = new Gateways(3);
    for (let n = 0; n < 450; n += 1, gateways.ms += 22) {
      expect(gateways.take(n % 3)).toBe(true);
      if (n % 11 === 0) gateways.report();
    }
  });

  it('open as many streams as the account may have, wherever they are opened', () => {
    const gateways = new Gateways(2, 20);
    const open = (at: number): boolean => gateways.all[at]!.streams.take(gateways.account) === null;
    const count = (at: number, times: number): number =>
      Array.from({ length: times }, () => open(at)).filter(Boolean).length;
    const first = count(0, 30) + count(1, 30);
    expect(first).toBeLessThanOrEqual(22);
    for (let round = 0; round < 8; round += 1) {
      gateways.report();
      gateways.report();
      count(0, 30);
      count(1, 30);
    }
    const total = (): number => gateways.all.reduce((sum, { streams }) => sum + streams.openOf(gateways.account), 0);
    expect(total()).toBeGreaterThanOrEqual(18);
    expect(total()).toBeLessThanOrEqual(22);
    gateways.all[1]!.streams.giveBack(gateways.account);
    gateways.report();
    gateways.report();
    expect(open(0)).toBe(true);
  });
});
