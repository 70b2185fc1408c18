import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { HeddleUnderFire, TEST_TIMEOUT_MS } from './heddle-under-fire.ts';
import { History } from './history.ts';
import { fire } from './load.ts';
import type { Load } from './load.ts';
import { settle, settlementLine } from './settle.ts';

const CLIENTS = 16;
const KILLED_WITHIN_MS = 45_000;

export interface FailpointCases {
  /** More settings of the service */
  readonly settings?: Readonly<Record<string, string>>;
  /** Before the first load */
  readonly prepare?: (heddle: HeddleUnderFire) => Promise<void>;
  /** After every crash, once the jobs have ended */
  readonly afterwards?: (heddle: HeddleUnderFire) => Promise<void>;
}

type Mix = Pick<Load, 'operations' | 'uploads' | 'cancels' | 'deletions'>;

/**
 * Kills the service at each failpoint during load, and restarts it. All points share one data directory, so that each crash
 * meets the leftovers of the earlier ones.
 */
export function describeFailpoints(
  service: string,
  points: readonly string[],
  mix: Mix,
  cases: FailpointCases = {},
): void {
  describe(
    `${service}, killed at its failpoints under ${CLIENTS} clients (seed ${seed})`,
    { timeout: TEST_TIMEOUT_MS },
    () => {
      const random = new Random(seed);
      const history = new History();
      let heddle: HeddleUnderFire;
      const target = (): Pick<Load, 'origin' | 'token'> => ({
        origin: heddle.url,
        ...(heddle.token !== undefined && { token: heddle.token }),
      });
      beforeAll(async () => {
        heddle = await HeddleUnderFire.start({
          HEDDLE_BLOB_GRACE_S: '0',
          HEDDLE_ASSET_SWEEP_S: '0.1',
          HEDDLE_LEASE_S: '0.8',
          ...cases.settings,
        });
        await cases.prepare?.(heddle);
        // Creates jobs and assets first, so that there is something to cancel and to delete.
        await fire({ ...target(), history, random, clients: 4, operations: 24, uploads: 0.5 });
        await heddle.process.kill9();
      });
      afterAll(async () => {
        await heddle?.stop();
      });

      it.each(points)('loses and doubles nothing at %s', async (point) => {
        // Every request passes these points, so the kill hits a later passage.
        const passage = /\.(submit|upload)\./.test(point) ? 4 + random.below(12) : 1 + random.below(3);
        const started = heddle.startAgain({ HEDDLE_FAILPOINTS: `${point}=kill@${passage}` });
        const load = { ...target(), history, random, clients: CLIENTS };
        const loaded = started.then(
          async () => fire({ ...load, ...mix, until: heddle.process.ended }),
          // Leftover work may pass the point during the start and end the process again.
          () => undefined,
        );
        try {
          const killed = { code: null, signal: 'SIGKILL' };
          expect(await heddle.ending(started, KILLED_WITHIN_MS), `${point} was hit and killed`).toEqual(killed);
        } finally {
          await heddle.process.kill9();
          await loaded;
        }
        await heddle.startAgain();
        const settlement = await settle(heddle, history);
        process.stdout.write(settlementLine(`${point} (passage ${passage})`, settlement));
        expect(settlement).toMatchObject({ lost: [], doubled: [], found: settlement.acknowledged });
        expect(history.offences).toEqual([]);
        await cases.afterwards?.(heddle);
        await heddle.process.kill9();
      });

      it('leaves a log that keeps every invariant, and gives the read model again', async () => {
        await heddle.startAgain();
        await settle(heddle, history);
        process.stdout.write(`${service}: ${await examine(heddle, history)}`);
      });
    },
  );
}
