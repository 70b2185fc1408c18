import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOB_EVENT_FORMAT } from '@heddle/jobs-domain';
import { freePort } from '@heddle/platform-database';
import { eventually } from '@heddle/testing-api';
import { freshSeed as seed } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { learnEventOfLease } from '../chaos/log-checks.ts';
import type { BuildProcess } from './build-process.ts';
import { editedBuild, previousBuild, thisBuild } from './builds.ts';
import type { Build } from './builds.ts';
import { judge } from './judge.ts';
import { LoadAtWork } from './load-at-work.ts';
import { NEXT_EVENT, NEXT_EVENT_EDITS } from './next-event.ts';
import { launchCluster, RollingCluster } from './rolling-cluster.ts';
import { openPlace } from './upgrade-place.ts';
import type { UpgradePlace } from './upgrade-place.ts';

/** `HEDDLE_TEST_UPGRADE=long npm test -- upgrade`: more jobs under each build, and every step twice. */
const isLong = process.env['HEDDLE_TEST_UPGRADE'] === 'long';
const JOBS = isLong ? 40 : 5;
const ROUNDS = isLong ? 3 : 1;
const BUILD_WITHIN_MS = 600_000;
const STEP_WITHIN_MS = 600_000;

describe(`builds that follow each other on one database, one broker and one bucket (seed ${seed})`, () => {
  let previous: Build;
  let next: Build;
  let place: UpgradePlace;
  let load: LoadAtWork | undefined;
  let launched: BuildProcess | undefined;
  let rolling: RollingCluster | undefined;

  beforeAll(async () => {
    previous = await previousBuild();
    next = await editedBuild(NEXT_EVENT_EDITS);
    place = await openPlace();
  }, BUILD_WITHIN_MS);
  afterAll(async () => {
    await load?.end();
    await rolling?.stop();
    await launched?.stop();
    await place?.remove();
  }, STEP_WITHIN_MS);

  const events = async (type: string): Promise<number> =>
    (
      await place.owner.query<{ count: number }>('select count(*)::int as count from jobs.event where type = $1', [
        type,
      ])
    ).rows[0]?.count ?? 0;

  it('the previous one stops whole before this one starts, and back', { timeout: STEP_WITHIN_MS }, async () => {
    launched = await launchCluster(previous, place);
    load = new LoadAtWork({ origin: place.url }, place.owner);
    await load.isServed(JOBS, previous.name);
    for (const build of Array.from({ length: ROUNDS }, () => [thisBuild, previous]).flat()) {
      await launched.stop();
      launched = await launchCluster(build, place);
      await load.isServed(JOBS, build.name);
    }
    await launched.stop();
    launched = undefined;
  });

  it(
    'the next one takes the place of this one process by process, and back, before it writes what this one cannot read',
    { timeout: STEP_WITHIN_MS },
    async () => {
      rolling = await RollingCluster.start(place);
      await load!.isServed(JOBS, thisBuild.name);
      for (let round = 1; round <= ROUNDS; round++) {
        // One jobs replica of this build stays, so the log keeps the format that it reads.
        for (const name of rolling.names.filter((one) => one !== 'jobs-2')) await rolling.exchange(name, next);
        await load!.isServed(JOBS, 'both builds');
        for (const name of rolling.names.filter((one) => one !== 'jobs-2')) await rolling.exchange(name, null);
        await load!.isServed(JOBS, `${thisBuild.name} again`);
      }
      expect(await events(NEXT_EVENT)).toBe(0);
    },
  );

  it(
    'the next one alone writes its new event, and this one refuses to start beside it',
    { timeout: STEP_WITHIN_MS },
    async () => {
      // The short form does not replace the services without the log again.
      const others = rolling!.names.filter((name) => name !== 'jobs-2' && (isLong || name === 'jobs-1'));
      for (const name of others) await rolling!.exchange(name, next);
      const isWritten = async (): Promise<void> => {
        await eventually(`an event ${NEXT_EVENT}`, async () => (await events(NEXT_EVENT)) > 0, 60_000);
      };
      if (isLong) {
        // The frozen replica counts as gone, so the others write a format that it cannot read. Then it comes back.
        await rolling!.whileFrozen('jobs-2', isWritten);
        await load!.isServed(JOBS, 'a replica that cannot read all of the log');
      }
      await rolling!.exchange('jobs-2', next);
      await isWritten();
      await load!.isServed(JOBS, next.name);
      const logFile = join(place.logDir, 'refused.log');
      const { program, env } = rolling!.plan('jobs-2');
      const ports = { HEDDLE_CALLS_PORT: String(await freePort()), HEDDLE_OPS_PORT: String(await freePort()) };
      const refused = rolling!.start({ program, env: { ...env, ...ports }, logFile }, thisBuild);
      expect(await refused.exited).not.toBe(0);
      expect(readFileSync(logFile, 'utf8')).toContain(
        `events of format ${JOB_EVENT_FORMAT + 1}, and this build of Heddle reads up to format ${JOB_EVENT_FORMAT}. Start a build`,
      );
    },
  );

  it('nothing was lost and nothing was done twice', { timeout: STEP_WITHIN_MS }, async () => {
    await load!.end();
    learnEventOfLease(NEXT_EVENT);
    const { settlement, broken, jobs } = await judge(place, load!, next);
    const { acknowledged, found, unanswered, lost, doubled } = settlement;
    process.stdout.write(
      `${jobs} jobs under three builds: acknowledged ${acknowledged}, found ${found}, lost ${lost.length}, ` +
        `doubled ${doubled.length} (${unanswered} unanswered, settled since)\n`,
    );
    expect(broken).toEqual([]);
    expect(found).toBe(acknowledged);
    expect(acknowledged).toBeGreaterThanOrEqual(JOBS * 5);
  });
});
