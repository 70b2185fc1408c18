import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { serverOf } from '@heddle/testing-standalone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { HeddleUnderFire, TEST_TIMEOUT_MS } from './heddle-under-fire.ts';
import { History } from './history.ts';
import { fire } from './load.ts';
import { settle, settlementLine } from './settle.ts';

const CLIENTS = 20;
const SUBMISSIONS = 200;
/** C5: the service answers again within 10 s. */
const SERVES_AGAIN_WITHIN_MS = 10_000;

describe(
  `a service that is killed in the middle of ${SUBMISSIONS} submissions by ${CLIENTS} clients (seed ${seed})`,
  { timeout: TEST_TIMEOUT_MS },
  () => {
    const random = new Random(seed);
    const history = new History();
    let heddle: HeddleUnderFire;
    beforeAll(async () => {
      heddle = await HeddleUnderFire.start();
    });
    afterAll(async () => {
      await heddle?.stop();
    });

    it.each([
      ['alone', false],
      ['alone, once more', false],
      ['with its database server', true],
    ])('%s has lost and doubled nothing when it serves again', async (how, withServer) => {
      const { process: victim, url: origin } = heddle;
      const server = withServer ? serverOf(heddle.dataDir)?.running()?.pid : undefined;
      const before = history.submissions.length;
      const killAfter = SUBMISSIONS / 4 + random.below(SUBMISSIONS / 2);
      const onAccepted = (count: number): void => {
        if (count !== killAfter) return;
        process.kill(victim.pid, 'SIGKILL');
        if (server !== undefined) process.kill(server, 'SIGKILL');
      };
      await fire({
        origin,
        history,
        random,
        clients: CLIENTS,
        operations: SUBMISSIONS,
        until: victim.ended,
        onAccepted,
      });
      expect(await victim.ended).toEqual({ code: null, signal: 'SIGKILL' });
      const servedAgainMs = await heddle.startAgain();
      const left = SUBMISSIONS - (history.submissions.length - before);
      await fire({ origin, history, random, clients: CLIENTS, operations: left });
      const settlement = await settle(heddle, history);
      process.stdout.write(`serves again after ${Math.round(servedAgainMs)} ms\n`);
      process.stdout.write(
        settlementLine(`killed ${how} after ${killAfter} of ${SUBMISSIONS} submissions`, settlement),
      );
      expect(settlement).toMatchObject({ lost: [], doubled: [], found: settlement.acknowledged });
      // All submissions except those whose answers the kill cut off.
      expect(settlement.acknowledged).toBeGreaterThanOrEqual(SUBMISSIONS - CLIENTS);
      expect(servedAgainMs).toBeLessThan(SERVES_AGAIN_WITHIN_MS);
    });

    it('leaves a log that keeps every invariant, and gives the read model again', async () => {
      process.stdout.write(`service killed: ${await examine(heddle, history)}`);
    });
  },
);
