import { describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import { fixedSeed as seed, seeded } from '@heddle/testing-seed';
import { AccountTurns } from './account-turns.js';
import type { WaitingAccount } from './account-turns.js';

interface Counted extends WaitingAccount {
  readonly waiting: number;
}

describe(`the turns of accounts that wait (seed ${seed})`, () => {
  const random = seeded(seed);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));

  it('give each waiting job the position that claims in their order give it', () => {
    for (let round = 0; round < 200; round += 1) {
      const accounts = Array.from({ length: 1 + upTo(6) }, someAccount);
      const turns = read(accounts);
      const order = claimed(accounts);
      for (const account of accounts) {
        for (let rank = 1; rank <= account.waiting; rank += 1) {
          expect(turns.position(account, rank), JSON.stringify(accounts)).toBe(
            1 + order.indexOf(nameOf(account, rank)),
          );
        }
      }
    }
  });

  it('place an account that waits only since after the look behind those that were there', () => {
    for (let round = 0; round < 200; round += 1) {
      const others = Array.from({ length: 1 + upTo(6) }, someAccount);
      const late = { ...someAccount(), waiting: 1 };
      const turns = read(others);
      expect(turns.find(late.accountId)).toBe(null);
      expect(turns.position(late, 1)).toBe(1 + claimed([...others, late]).indexOf(nameOf(late, 1)));
    }
  });

  it('return what was counted of an account', () => {
    const accounts = Array.from({ length: 5 }, someAccount);
    for (const { accountId, servedAt, running } of accounts) {
      expect(read(accounts).find(accountId)).toEqual({ accountId, servedAt, running });
    }
  });

  it('serve for the question that read them where accounts are few, and for a second at most where they are many', () => {
    const goodAt = (count: number, ms: number): boolean =>
      read(Array.from({ length: count }, someAccount)).isGoodAt(ms);
    expect([goodAt(100, 0), goodAt(1_000, 99), goodAt(1_000, 100)]).toEqual([false, true, false]);
    expect([goodAt(20_000, 999), goodAt(20_000, 1_000)]).toEqual([true, false]);
  });

  function someAccount(): Counted {
    const servedAt = random() < 0.3 ? -Infinity : 1_795_000_000 + upTo(3) + upTo(2) / 1_000_000;
    return { accountId: newUuid(), servedAt, running: upTo(4), waiting: 1 + upTo(4) };
  }
});

/** As the database returns it. */
function read(accounts: readonly Counted[]): AccountTurns {
  const sorted = accounts.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  const entries = sorted.map(({ accountId, servedAt, waiting, running }) => {
    const entry = Buffer.alloc(32);
    entry.write(accountId.replaceAll('-', ''), 'hex');
    entry.writeDoubleBE(servedAt, 16);
    entry.writeInt32BE(waiting, 24);
    entry.writeInt32BE(running, 28);
    return entry;
  });
  return new AccountTurns(Buffer.concat(entries), 0);
}

function isBefore(a: WaitingAccount, b: WaitingAccount): boolean {
  return a.servedAt === b.servedAt ? a.accountId < b.accountId : a.servedAt < b.servedAt;
}

/** Names of all jobs in the order in which workers would get them if nothing else happened. */
function claimed(accounts: readonly Counted[]): readonly string[] {
  const left = accounts.map((account) => ({ account, taken: 0 }));
  const order: string[] = [];
  for (;;) {
    const waiting = left.filter(({ account, taken }) => taken < account.waiting);
    if (waiting.length === 0) return order;
    const next = waiting.reduce((best, one) => {
      const [a, b] = [one.account.running + one.taken, best.account.running + best.taken];
      return a < b || (a === b && isBefore(one.account, best.account)) ? one : best;
    });
    next.taken += 1;
    order.push(nameOf(next.account, next.taken));
  }
}

function nameOf({ accountId }: WaitingAccount, rank: number): string {
  return `${accountId} ${rank}`;
}
