import { serverOf } from '@heddle/testing-standalone';
import { eventually } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf } from './processes.ts';
import { examine } from './examine.ts';
import { HeddleUnderFire, PATIENCE_MS } from './heddle-under-fire.ts';
import { History } from './history.ts';
import { fire } from './load.ts';
import { Random, seed } from './random.ts';
import { settle, settlementLine } from './settle.ts';

const CLIENTS = 16;
const FROZEN_MS = 3_000;

describe(`a database server that fails under ${CLIENTS} clients (seed ${seed})`, { timeout: PATIENCE_MS }, () => {
  const random = new Random(seed);
  const history = new History();
  let heddle: HeddleUnderFire;
  beforeAll(async () => {
    heddle = await HeddleUnderFire.start();
  });
  afterAll(async () => {
    await heddle?.stop();
  });

  const serverPid = (): number => {
    const pid = serverOf(heddle.dataDir)?.running()?.pid;
    if (pid === undefined) throw new Error('the database server does not run');
    return pid;
  };
  /** Load from before the fault until it has healed; the readiness that was seen meanwhile. */
  const underLoad = async (fault: (pid: number) => Promise<void>): Promise<Set<number | null>> => {
    const before = heddle.process.pid;
    const over = Promise.withResolvers<void>();
    const accepted = Promise.withResolvers<void>();
    const onAccepted = (count: number): void => {
      if (count === 20) accepted.resolve();
    };
    const mix = { uploads: 0.2, cancels: 0.1, operations: 5_000, until: over.promise, onAccepted };
    const loaded = fire({ origin: heddle.url, history, random, clients: CLIENTS, ...mix });
    const seen = new Set<number | null>();
    try {
      await accepted.promise;
      const broken = fault(serverPid());
      await eventually('readyz to say that it waits', async () => {
        seen.add(await heddle.readiness());
        return seen.has(503);
      });
      await broken;
      await eventually('readyz to say that it serves', async () => (await heddle.readiness()) === 200);
    } finally {
      over.resolve();
      await loaded;
    }
    expect(heddle.process.pid, 'the service itself stays alive').toBe(before);
    return seen;
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

  it(`and is frozen for ${FROZEN_MS / 1000} s goes on where it was`, async () => {
    await underLoad(async (pid) => {
      process.kill(pid, 'SIGSTOP');
      for (const child of childrenOf(pid)) process.kill(child, 'SIGSTOP');
      const thawAt = performance.now() + FROZEN_MS;
      await eventually('the end of the frost', () => performance.now() >= thawAt);
      for (const child of [...childrenOf(pid), pid]) process.kill(child, 'SIGCONT');
    });
    await expectNothingLost('database frozen');
  });

  it('leaves a log that keeps every invariant, and gives the read model again', async () => {
    // Uploads whose end the database did not hear are swept when their lease is over, or by the next start.
    await heddle.process.kill9();
    await heddle.startAgain();
    process.stdout.write(`database: ${await examine(heddle, history)}`);
  });
});
