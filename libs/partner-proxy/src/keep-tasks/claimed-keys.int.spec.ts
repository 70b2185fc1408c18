import { TaskCreditsFake } from '@heddle/testing-jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestProxy } from '../partner-proxy.fixture.js';

const DAY_MS = 86_400_000;
let proxy: TestProxy;
beforeAll(async () => {
  proxy = await TestProxy.open({}, new TaskCreditsFake(1_000_000));
});
afterAll(() => proxy.close());

const statusWith = async (key: string): Promise<number> => (await proxy.video({}, { 'idempotency-key': key })).status;

describe('an Idempotency-Key of the proxy', () => {
  it('makes one task, however many requests carry it at once', async () => {
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusWith('at-once')));
    expect(statuses.sort()).toEqual([200, ...Array<number>(7).fill(422)]);
    const sql = `select count(*)::int as n from partner_proxy.task`;
    expect((await proxy.database.owner.query<{ n: number }>(sql)).rows[0]!.n).toBe(1);
  });

  it('is claimed for 24 hours, and once again after them', async () => {
    expect(await statusWith('again')).toBe(200);
    await proxy.database.advanceClock(DAY_MS - 60_000);
    expect(await statusWith('again')).toBe(422);
    await proxy.database.advanceClock(120_000);
    const statuses = await Promise.all([statusWith('again'), statusWith('again'), statusWith('again')]);
    expect(statuses.sort()).toEqual([200, 422, 422]);
  });
});
