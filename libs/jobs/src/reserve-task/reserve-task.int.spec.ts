import { newUuid } from '@heddle/contracts-messages';
import type { Principal, TaskId, TaskReservation } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf, outcomeOf, priced, sumsOf, taskCreditsOf } from '../jobs-under-test/credits.fixture.js';
import { crashedAt } from '../jobs-under-test/held-statement.fixture.js';
import {
  codeOf,
  dropConsistent,
  openDatabase,
  openJobs,
  someAccount,
  submissionOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const ROUNDS = 20;
const TOGETHER = 8;

describe('the reservation of a task', () => {
  let db: TestDatabase;
  let replicas: readonly OpenJobs[];
  beforeAll(async () => {
    db = await openDatabase();
    replicas = [await openJobs(db), await openJobs(db)];
  });
  afterAll(async () => {
    for (const one of replicas) await one.close();
    await dropConsistent(db);
  });

  async function funded(amount: number, perJob = 0): Promise<Principal> {
    const me = someAccount();
    await priced(replicas[0]!, me, perJob === 0 ? {} : { perJob }, amount);
    return me;
  }

  /** At once, in turns at both replicas. */
  async function reserved(...reservations: readonly TaskReservation[]): Promise<readonly string[]> {
    const answers = reservations.map((one, at) => taskCreditsOf(replicas[at % 2]!).reserve(one));
    return (await Promise.all(answers)).map(outcomeOf).sort();
  }

  const someTask = ({ accountId }: Principal, amount: number): TaskReservation => {
    return { accountId, taskId: newUuid() as TaskId, amount };
  };

  it('at the last credit goes to as many tasks as the balance pays for', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const me = await funded(30 + (round % 10));
      const codes = await reserved(...Array.from({ length: TOGETHER }, () => someTask(me, 10)));
      expect(codes).toEqual([...Array<string>(3).fill('reserved'), ...Array<string>(5).fill('uncovered')]);
      expect(await sumsOf(replicas[0]!, me)).toMatchObject({ balance: round % 10, reserved: 30 });
    }
  });

  it('shares the balance with submissions of jobs at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const me = await funded(30, 10);
      const submissions = Array.from({ length: 4 }, (_, at) => replicas[at % 2]!.jobs.submit(me, submissionOf()));
      const codes = [
        ...(await reserved(...Array.from({ length: 4 }, () => someTask(me, 10)))),
        ...(await Promise.all(submissions)).map(codeOf),
      ];
      expect(codes.filter((code) => code === 'reserved' || code === 'accepted')).toHaveLength(3);
      expect(codes.filter((code) => code === 'uncovered' || code === 'insufficient_credits')).toHaveLength(5);
      expect(await sumsOf(replicas[0]!, me)).toMatchObject({ balance: 0, reserved: 30 });
    }
  });

  it('is made once, however many callers repeat it at once', async () => {
    const me = await funded(100);
    const task = someTask(me, 60);
    expect(await reserved(...Array<TaskReservation>(TOGETHER).fill(task))).toEqual(Array(TOGETHER).fill('reserved'));
    expect((await entriesOf(replicas[0]!, me)).map(({ kind }) => kind)).toEqual(['grant', 'reserve']);
  });

  it('belongs to one of two accounts that name the same task at once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a, b] = [await funded(10), await funded(10)];
      const task = someTask(a, 10);
      expect(await reserved(task, { ...task, accountId: b.accountId })).toEqual(['invalid_request', 'reserved']);
      const balances = [await sumsOf(replicas[0]!, a), await sumsOf(replicas[1]!, b)].map(({ balance }) => balance);
      expect(balances.sort()).toEqual([0, 10]);
    }
  });

  it.each(['jobs.ledger', 'jobs.balance'] as const)('that a crash cuts at %s never was', async (table) => {
    const me = await funded(100);
    const task = someTask(me, 60);
    const reserve = () => taskCreditsOf(replicas[0]!).reserve(task);
    expect(await crashedAt(db, table, reserve)).toBeInstanceOf(Error);
    expect(await sumsOf(replicas[1]!, me)).toMatchObject({ balance: 100, reserved: 0 });
    expect(await entriesOf(replicas[1]!, me)).toHaveLength(1);
    expect(outcomeOf(await reserve())).toBe('reserved');
    expect(await sumsOf(replicas[1]!, me)).toMatchObject({ balance: 40, reserved: 60 });
  });
});
