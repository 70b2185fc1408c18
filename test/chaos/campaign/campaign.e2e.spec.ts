import { freshSeed as seed } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROMISE_CHECKS } from '../promise-checks.ts';
import { brokenChecks } from './campaign-evidence.ts';
import { MUTANTS } from './campaign-mutants.ts';
import { renderReport, reportOf } from './campaign-report.ts';
import { FREEZE_OF_ALL_JOBS, LOSS_OF_TOPIC } from './fault.ts';
import { FAULTS } from './fault-deck.ts';
import { crashWithoutDurability, relayed } from './live-mutants.ts';
import { runCampaign } from './run-campaign.ts';
import type { Campaign } from './run-campaign.ts';
import { TOPIC_CHECKS } from './topic-checks.ts';
import { WITNESS_CHECKS } from './witness-checks.ts';

/** One fault of each main kind; `npm run test:chaos` plays all faults for any time. */
const SHORT = [
  'kill relay',
  'freeze worker',
  FREEZE_OF_ALL_JOBS,
  LOSS_OF_TOPIC,
  'kill gateway',
  'kill broker',
  'restart database at once',
  'success then reset: jobs',
  'kill s3',
  'kill engine',
];
const MINUTES = 0.4;
/** Long, because on a busy machine each process restarts slowly. */
const TEST_TIMEOUT_MS = 600_000;

describe(`a short campaign of faults on a cluster (seed ${seed})`, () => {
  let campaign: Campaign | undefined;
  const lines: string[] = [];
  beforeAll(async () => {
    const faults = FAULTS.filter(({ name }) => SHORT.includes(name));
    const progress = (line: string): void => void lines.push(line);
    try {
      campaign = await runCampaign({ seed, minutes: MINUTES, brokers: 1, faults, allFaults: true, progress });
    } catch (error) {
      throw new Error(`the campaign did not come to its end:\n${lines.join('\n')}`, { cause: error });
    }
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    await campaign?.cluster.stop();
  }, TEST_TIMEOUT_MS);

  it('loses nothing, doubles nothing, keeps every order', () => {
    const report = reportOf(campaign!);
    process.stdout.write(`${renderReport(report)}\n`);
    if (report.broken.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
    expect(report.broken).toEqual([]);
    expect(report).toMatchObject({ lost: 0, doubled: 0, orderViolations: 0, terminal: report.acknowledged });
    expect(report.acknowledged).toBeGreaterThan(0);
  });

  it.each(MUTANTS.map((mutant) => [mutant.what, mutant] as const))('would turn red for %s', (_, { check, mutate }) => {
    const { evidence } = campaign!;
    expect(brokenChecks(evidence).filter(({ name }) => check.test(name))).toEqual([]);
    expect(brokenChecks(mutate(evidence)).map(({ name }) => name)).toContainEqual(expect.stringMatching(check));
  });

  it('has a mutant for every check of the topic and of what was seen', () => {
    const names = [...TOPIC_CHECKS, ...WITNESS_CHECKS].map(({ name }) => name);
    expect(names.filter((name) => !MUTANTS.some(({ check }) => check.test(name)))).toEqual([]);
  });

  it(
    'turns red for a real reader whose cursor moves before the brokers have acknowledged',
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      const { cluster, evidence } = campaign!;
      const { run, deadLetters } = evidence;
      const missing = TOPIC_CHECKS.find(({ name }) => name.startsWith('I25 every event'))!;
      const honest = await relayed(cluster, 'honest');
      expect(missing.faults({ run, topic: honest, deadLetters, strikes: [] })).toEqual([]);
      const hasty = await relayed(cluster, 'hasty');
      expect(missing.faults({ run, topic: hasty, deadLetters, strikes: [] })).not.toEqual([]);
    },
  );

  it('turns red for a real database that does not wait for its disk', { timeout: TEST_TIMEOUT_MS }, async () => {
    const { run, journal } = await crashWithoutDurability(campaign!.cluster);
    const lost = PROMISE_CHECKS.find(({ name }) => name.startsWith('I1 '))!;
    expect(journal.acknowledgedJobs.length).toBeGreaterThan(0);
    expect(lost.faults({ run, history: journal })).not.toEqual([]);
  });
});
