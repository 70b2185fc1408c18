import { serverOf } from '@heddle/testing-standalone';
import { eventually } from '@heddle/testing-api';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf } from './processes.ts';
import { attemptsSpent, examine } from './examine.ts';
import { HeddleUnderFire, TEST_TIMEOUT_MS } from './heddle-under-fire.ts';
import { History } from './history.ts';
import { fire } from './load.ts';
import { settle, settlementLine } from './settle.ts';

const CLIENTS = 16;
const FROZEN_MS = 3_000;

describe(`a database server that fails under ${CLIENTS} clients (seed ${seed})`, { timeout: TEST_TIMEOUT_MS }, () => {
  const random = new Random(seed);
  const history = new History();
  let heddle: HeddleUnderFire;
  beforeAll(async () => {
    heddle = await HeddleUnderFire.start();
  });
  afterAll(async () => {
    await heddle?.stop();
  });

  /** Pid of the database server; undefined while it is down. */
  const serverPid = (): number | undefined => serverOf(heddle.dataDir)?.running()?.pid;
  /** Runs load from before the fault until after it. The fault lasts until readyz reports it, if possible. */
  const underLoad = async (fault: (pid: number, reported: Promise<void>) => Promise<void>): Promise<void> => {
    const before = heddle.process.pid;
    const over = Promise.withResolvers<void>();
    const reported = Promise.withResolvers<void>();
    const accepted = Promise.withResolvers<void>();
    const onAccepted = (count: number): void => {
      if (count === 20) accepted.resolve();
    };
    const mix = { uploads: 0.2, cancels: 0.1, operations: 5_000, until: over.promise, onAccepted };
    const loaded = fire({ origin: heddle.url, history, random, clients: CLIENTS, ...mix });
    try {
      await accepted.promise;
      let struck = await eventually('a database server that runs', serverPid);
      const broken = fault(struck, reported.promise);
      await eventually('readyz to say that it waits', async () => {
        const readiness = await heddle.readiness();
        const pid = serverPid();
        // A server that was back before a probe is hit once more.
        if (readiness === 200 && pid !== undefined && pid !== struck) await fault((struck = pid), reported.promise);
        return readiness === 503;
      });
      reported.resolve();
      await broken;
      await eventually('readyz to say that it serves', async () => (await heddle.readiness()) === 200);
    } finally {
      reported.resolve();
      over.resolve();
      await loaded;
    }
    expect(heddle.process.pid, 'the service itself stays alive').toBe(before);
  };
  const expectNothingLost = async (what: string): Promise<void> => {
    const settlement = await settle(heddle, history);
    process.stdout.write(settlementLine(what, settlement));
    expect(settlement).toMatchObject({ lost: [], doubled: [], found: settlement.acknowledged });
    expect(history.offences).toEqual([]);
  };

  it('and is killed is started again, with everything that was acknowledged', async () => {
    await underLoad(async (pid) => void process.kill(pid, 'SIGKILL'));
    await expectNothingLost('database killed');
  });

  it('and is stopped without a checkpoint is started again, with everything that was acknowledged', async () => {
    await underLoad(async (pid) => void process.kill(pid, 'SIGQUIT'));
    await expectNothingLost('database stopped at once');
  });

  it(`and is frozen for ${FROZEN_MS / 1000} s or more goes on where it was`, async () => {
    await underLoad(async (pid, reported) => {
      process.kill(pid, 'SIGSTOP');
      for (const child of childrenOf(pid)) process.kill(child, 'SIGSTOP');
      const thawAt = performance.now() + FROZEN_MS;
      await eventually('the end of the frost', () => performance.now() >= thawAt);
      await reported;
      for (const child of [...childrenOf(pid), pid]) process.kill(child, 'SIGCONT');
    });
    await expectNothingLost('database frozen');
  });

  it('costs no running job its attempt', async () => {
    expect(await attemptsSpent(heddle)).toEqual([]);
  });

  it('leaves a log that keeps every invariant, and gives the read model again', async () => {
    // Uploads whose end did not reach the database are swept after their lease, or at the next start.
    await heddle.process.kill9();
    await heddle.startAgain();
    process.stdout.write(`database: ${await examine(heddle, history)}`);
  });
});
