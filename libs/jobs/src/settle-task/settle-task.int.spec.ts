import { newUuid } from '@heddle/contracts-messages';
import type { Principal, TaskId } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf, outcomeOf, priced, sumsOf, taskCreditsOf } from '../jobs-under-test/credits.fixture.js';
import { crashedAt } from '../jobs-under-test/held-statement.fixture.js';
import { dropConsistent, openDatabase, openJobs, someAccount, valueOf } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const ROUNDS = 20;

describe('the settlement of a task', () => {
  const warnings: object[] = [];
  let db: TestDatabase;
  let replicas: readonly OpenJobs[];
  beforeAll(async () => {
    db = await openDatabase();
    const logger = {
      info: () => undefined,
      error: () => undefined,
      warn: (facts: object) => void warnings.push(facts),
    };
    replicas = [await openJobs(db, {}, { logger }), await openJobs(db)];
  });
  afterAll(async () => {
    for (const one of replicas) await one.close();
    await dropConsistent(db);
  });

  async function reserved(amount: number): Promise<{ readonly me: Principal; readonly taskId: TaskId }> {
    const [me, taskId] = [someAccount(), newUuid() as TaskId];
    await priced(replicas[0]!, me, {}, 100);
    valueOf(await taskCreditsOf(replicas[0]!).reserve({ accountId: me.accountId, taskId, amount }));
    return { me, taskId };
  }

  it('is one of two that differ and come at once, and the other one is refused', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { me, taskId } = await reserved(60);
      const settle = (charged: number, at: number) =>
        taskCreditsOf(replicas[at]!).settle({ accountId: me.accountId, taskId, charged });
      const [none, all] = await Promise.all([settle(0, 0), settle(60, 1)]);
      expect([outcomeOf(none), outcomeOf(all)].sort()).toEqual(['invalid_request', 'settled']);
      const charged = none.ok ? 0 : 60;
      expect(await sumsOf(replicas[0]!, me)).toMatchObject({ balance: 100 - charged, reserved: 0, charged });
    }
  });

  it('is made once, however many callers repeat it at once', async () => {
    const { me, taskId } = await reserved(60);
    const settlement = { accountId: me.accountId, taskId, charged: 25 };
    const answers = Array.from({ length: 8 }, (_, at) => taskCreditsOf(replicas[at % 2]!).settle(settlement));
    for (const answer of await Promise.all(answers))
      expect(valueOf(answer)).toEqual({ kind: 'settled', charged: 25, returned: 35 });
    expect((await entriesOf(replicas[0]!, me)).map(({ kind }) => kind)).toEqual(['grant', 'reserve', 'settle']);
  });

  it('of a task without a reservation changes nothing, and the log names the task', async () => {
    const { me } = await reserved(60);
    const settlement = { accountId: me.accountId, taskId: newUuid() as TaskId, charged: 1 };
    expect(outcomeOf(await taskCreditsOf(replicas[0]!).settle(settlement))).toBe('nothing_reserved');
    expect(warnings).toEqual([settlement]);
  });

  it.each(['jobs.balance', 'jobs.ledger'] as const)('that a crash cuts at %s never was', async (table) => {
    const { me, taskId } = await reserved(60);
    const settle = () => taskCreditsOf(replicas[0]!).settle({ accountId: me.accountId, taskId, charged: 20 });
    expect(await crashedAt(db, table, settle)).toBeInstanceOf(Error);
    expect(await sumsOf(replicas[1]!, me)).toMatchObject({ balance: 40, reserved: 60 });
    expect(outcomeOf(await settle())).toBe('settled');
    expect(await sumsOf(replicas[1]!, me)).toMatchObject({ balance: 80, reserved: 0, charged: 20 });
  });
});
