import { setTimeout as delay } from 'node:timers/promises';
import { HeddleClient } from '@heddle/testing-api';
import { Random } from '@heddle/testing-seed';
import { readAtRest } from '../examine.ts';
import { settle } from '../settle.ts';
import type { Settlement } from '../settle.ts';
import { brokenChecks } from './campaign-evidence.ts';
import type { BrokenCheck, Evidence } from './campaign-evidence.ts';
import type { CampaignClient, Site } from './campaign-client.ts';
import { startClusterUnderFire } from './cluster-under-fire.ts';
import type { ClusterUnderFire } from './cluster-under-fire.ts';
import type { Fault } from './fault.ts';
import { FAULTS, rounds } from './fault-deck.ts';
import { Journal } from './journal.ts';
import { probeRecovery } from './probe-recovery.ts';
import type { Recovery } from './probe-recovery.ts';
import { isBack } from './process-faults.ts';
import { cancelJobs, submitJobs } from './submit-jobs.ts';
import { deadLetterTopics, readTopic } from './topic-record.ts';
import { uploadAssets } from './upload-assets.ts';
import { download, look, pollJobs, watchJobs } from './watch-jobs.ts';

const PAUSE_MS = 1_500;
const QUIET_WITHIN_MS = 180_000;
/** Longer than the lifetime of a hold without a job */
const REST_WITHIN_MS = 90_000;
const LOOKS_AT_ONCE = 8;

export interface CampaignOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly brokers: number;
  /** A subset of `FAULTS`; default all. */
  readonly faults?: readonly Fault[];
  /** True: continue until each fault occurred once, beyond the time limit. */
  readonly allFaults?: boolean;
  progress(line: string): void;
}

export interface CampaignResult {
  readonly seed: number;
  /** Faults that occurred, by name, with their recoveries */
  readonly recoveries: readonly Recovery[];
  /** Reasons why kinds of faults were skipped */
  readonly skipped: readonly string[];
  readonly settlement: Settlement;
  readonly evidence: Evidence;
  readonly broken: readonly BrokenCheck[];
  /** The data folder, with the logs of the services */
  readonly dataDir: string;
}

export interface Campaign extends CampaignResult {
  /** Keeps running without faults until it is stopped */
  readonly cluster: ClusterUnderFire;
}

/** Runs clients on a cluster with one fault after the other, then stops the faults and checks the invariants. */
export async function runCampaign(options: CampaignOptions): Promise<Campaign> {
  const random = new Random(options.seed);
  const { progress } = options;
  const chance = new Random(random.below(2 ** 31));
  const cluster = await startClusterUnderFire({ brokers: options.brokers, random: () => chance.next(), progress });
  try {
    return { ...(await fight(options, cluster, random)), cluster };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function fight(options: CampaignOptions, cluster: ClusterUnderFire, random: Random): Promise<CampaignResult> {
  const { progress, seed } = options;
  const journal = new Journal();
  const client = await HeddleClient.connect(cluster.url);
  progress(`the cluster is up at ${cluster.url}`);
  const over = new AbortController();
  const clients = startClients({ origin: cluster.url }, journal, random, over.signal);
  const recoveries: Recovery[] = [];
  const skipped = typeof cluster.disk === 'string' ? [`fill disk of database: ${cluster.disk}`] : [];
  try {
    const faults = (options.faults ?? FAULTS).filter(({ family }) => family !== 'disk' || skipped.length === 0);
    await campaign({ ...options, cluster, journal, random, recoveries, faults });
  } finally {
    over.abort();
    await Promise.all(clients);
  }
  progress('the faults are over; waiting for quiet');
  await Promise.all(cluster.processes.map(isBack));
  const settlement = await settle({ url: cluster.url, client }, journal, QUIET_WITHIN_MS);
  await lookAtEverything({ origin: cluster.url }, journal, random);
  progress('reading what is left');
  await letTimePass(cluster);
  const { run, faults } = await readAtRest(cluster.owner, cluster.objectsFolder, REST_WITHIN_MS);
  const [topic, deadLetters] = [await readTopic(cluster.brokers), await deadLetterTopics(cluster.brokers)];
  const evidence = { run, journal, topic, deadLetters };
  const rebuilt =
    faults.length === 0 ? [] : [{ name: 'I22 and I23 the chain holds, the rebuilt read model is the same', faults }];
  const settled = [
    { name: 'nothing acknowledged was lost when its client looked', faults: settlement.lost },
    { name: 'nothing was done twice when its client looked', faults: settlement.doubled },
  ].filter((check) => check.faults.length > 0);
  const broken = [...brokenChecks(evidence), ...rebuilt, ...settled];
  return { seed, recoveries, skipped, settlement, evidence, broken, dataDir: cluster.dataDir };
}

/**
 * Moves the clock, because the rest only ages: intents of killed processes, and outputs that a worker stored after its job
 * had ended. The sweeps ask the jobs service about them when they are old.
 */
export async function letTimePass({ owner }: Pick<ClusterUnderFire, 'owner'>): Promise<void> {
  await owner.query('update assets.upload set lease_until = heddle.clock_now()');
  await owner.query(
    `update assets.asset set created_at = created_at - interval '1 day' where job_id is not null and confirmed_at is null`,
  );
}

export function startClients(site: Site, journal: Journal, random: Random, over: AbortSignal): Promise<void>[] {
  const wait = async (ms: number): Promise<void> => await delay(ms, undefined, { signal: over }).catch(() => undefined);
  const isOver = (): boolean => over.aborted;
  const works = [
    submitJobs,
    submitJobs,
    submitJobs,
    cancelJobs,
    uploadAssets,
    pollJobs,
    pollJobs,
    watchJobs,
    watchJobs,
  ];
  return works.map(async (work) => {
    const client: CampaignClient = { ...site, journal, random: new Random(random.below(2 ** 31)), isOver, wait };
    await work(client);
  });
}

interface Field extends CampaignOptions {
  readonly cluster: ClusterUnderFire;
  readonly journal: Journal;
  readonly random: Random;
  readonly recoveries: Recovery[];
  readonly faults: readonly Fault[];
}

/** Plays rounds until the time is over. A round ends when its victims are back and a new job runs. */
async function campaign(field: Field): Promise<void> {
  const { cluster, journal, random, recoveries, progress, minutes } = field;
  const endsAt = performance.now() + minutes * 60_000;
  // The baseline of the recovery figures: no fault.
  await probeRecovery(cluster, journal, 'none');
  const owed = new Set(field.allFaults === true ? field.faults : []);
  for (const round of rounds(random, field.faults)) {
    if (performance.now() > endsAt && owed.size === 0) return;
    for (const fault of round) owed.delete(fault);
    const begunAt = performance.now();
    const name = round.map((fault) => fault.name).join(' + ');
    progress(`${name} ...`);
    const struck = Promise.all(round.map((fault) => strike(field, fault)));
    // A failure is reported below; without this handler it would be an unhandled rejection.
    struck.catch(() => undefined);
    const recovery = await probeRecovery(cluster, journal, name);
    await struck;
    recoveries.push(recovery);
    const { acceptedMs, leasedMs, relayedMs } = recovery;
    const tookMs = Math.round(performance.now() - begunAt);
    progress(`${name}: accepted ${acceptedMs} ms, leased ${leasedMs} ms, relayed ${relayedMs} ms (round ${tookMs} ms)`);
    await delay(random.below(PAUSE_MS));
  }
}

async function strike({ cluster, journal, random }: Field, fault: Fault): Promise<void> {
  const { name, family, alone = false } = fault;
  const begunAt = performance.now();
  const entry = { fault: name, family, alone, begunAt, healedAt: Infinity };
  journal.note('strikes', entry);
  await fault.strike({ cluster, random: new Random(random.below(2 ** 31)) });
  entry.healedAt = performance.now();
}

/** Reads every acknowledged job and the bytes of every asset, after the faults. */
export async function lookAtEverything(site: Site, journal: Journal, random: Random): Promise<void> {
  const left: (() => Promise<unknown>)[] = [
    ...journal.acknowledgedJobs.map((jobId) => () => look({ ...site, journal, random }, jobId)),
    ...journal.mints.map(
      ({ assetId, hash }) =>
        () =>
          download({ ...site, journal }, assetId, hash, 'mint'),
    ),
    ...journal.uploads
      .filter(({ outcome, deleted }) => outcome === 'ok' && !deleted)
      .map(
        ({ assetId, hash }) =>
          () =>
            download({ ...site, journal }, assetId ?? '', hash, 'upload'),
      ),
  ];
  const reader = async (): Promise<void> => {
    for (let work = left.pop(); work !== undefined; work = left.pop()) await work();
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, reader));
}
