import { newUuid } from '@heddle/contracts-messages';
import type { AccountId, Answer, CreditsPort, DeploymentId } from '@heddle/contracts-messages';
import { expect, it } from 'vitest';

const someone = (): AccountId => newUuid() as AccountId;
const somewhere = (): DeploymentId => newUuid() as DeploymentId;
const codeOf = (answer: Answer<unknown>): string => (answer.ok ? 'accepted' : answer.rejection.code);

/** CreditsPort, directly and over gRPC */
export function itManagesCredits(credits: () => CreditsPort): void {
  it('grants and withdraws, never below 0, each with its entry', async () => {
    const me = someone();
    const nothing = { balance: 0, reserved: 0, granted: 0, charged: 0, withdrawn: 0 };
    expect(await credits().show(me)).toEqual(nothing);
    expect(await credits().withdraw(me, { amount: 1, note: null })).toMatchObject({
      ok: false,
      rejection: { code: 'insufficient_credits', details: { required: 1, balance: 0 } },
    });
    const granted = { ...nothing, balance: 50, granted: 50 };
    expect(await credits().grant(me, { amount: 50, note: 'é' })).toEqual({ ok: true, value: granted });
    const less = { ...granted, balance: 20, withdrawn: 30 };
    expect(await credits().withdraw(me, { amount: 30, note: null })).toEqual({ ok: true, value: less });
    expect(codeOf(await credits().withdraw(me, { amount: 21, note: null }))).toBe('insufficient_credits');
    expect(await credits().show(me)).toEqual(less);
    expect(await credits().balancesOf([me, someone()])).toEqual(new Map([[me, 20]]));
    const entries = await credits().ledger(me, { after: null, limit: 10 });
    const noJob = { jobId: null, charged: null };
    expect(entries).toMatchObject([
      { kind: 'grant', amount: 50, balance: 50, note: 'é', ...noJob },
      { kind: 'withdraw', amount: -30, balance: 20, note: null, ...noJob },
    ]);
    expect(await credits().ledger(me, { after: null, limit: 1 })).toEqual(entries.slice(0, 1));
    expect(await credits().ledger(me, { after: entries[0]!.entryId, limit: 10 })).toEqual(entries.slice(1));
  });

  it.each([0, -1, 0.5, 1e12 + 1, Number.NaN, Number.MAX_SAFE_INTEGER + 1])('refuses the amount %d', async (amount) => {
    const me = someone();
    expect(codeOf(await credits().grant(me, { amount, note: null }))).toBe('invalid_request');
    expect(codeOf(await credits().withdraw(me, { amount, note: null }))).toBe('invalid_request');
    expect(await credits().ledger(me, { after: null, limit: 10 })).toEqual([]);
  });

  it('refuses more than an account may ever be granted, and a note of control characters', async () => {
    const me = someone();
    for (let n = 0; n < 1_000; n += 100) {
      await Promise.all(Array.from({ length: 100 }, () => credits().grant(me, { amount: 1e12, note: null })));
    }
    expect(codeOf(await credits().grant(me, { amount: 1, note: null }))).toBe('invalid_request');
    expect(codeOf(await credits().grant(someone(), { amount: 1, note: 'a\nb' }))).toBe('invalid_request');
  });

  it('sets the parts of a price that are given', async () => {
    const deployment = somewhere();
    expect(await credits().pricesOf([deployment])).toEqual(new Map());
    const first = await credits().setPrice(deployment, { perSecond: 0.000001 });
    expect(first).toEqual({ ok: true, value: { perJob: 0, perSecond: 0.000001 } });
    await credits().setPrice(deployment, { perJob: 7 });
    expect(await credits().pricesOf([deployment])).toEqual(new Map([[deployment, { perJob: 7, perSecond: 0.000001 }]]));
    for (const wrong of [
      { perJob: -1 },
      { perJob: 0.5 },
      { perJob: 1e10 },
      { perSecond: -1 },
      { perSecond: 1e-7 },
      { perSecond: 1e7 },
    ]) {
      expect(codeOf(await credits().setPrice(deployment, wrong))).toBe('invalid_request');
    }
  });

  it('checks all ledgers, part by part', async () => {
    await credits().grant(someone(), { amount: 1, note: null });
    let [from, accounts, entries]: [string | null, number, number] = [null, 0, 0];
    do {
      const part = await credits().check(from);
      expect(part.problems).toEqual([]);
      [from, accounts, entries] = [part.next, accounts + part.accounts, entries + part.entries];
    } while (from !== null);
    expect(accounts).toBeGreaterThan(0);
    expect(entries).toBeGreaterThanOrEqual(accounts);
  });
}
