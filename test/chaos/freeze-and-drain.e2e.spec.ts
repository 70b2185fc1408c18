import { eventually, sleepingGraph, textGraph } from '@heddle/testing-api';
import type { Job } from '@heddle/testing-api';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine, ownerPool } from './examine.ts';
import { HeddleUnderFire, within, TEST_TIMEOUT_MS } from './heddle-under-fire.ts';
import { History } from './history.ts';
import { fire } from './load.ts';
import { drained, settle, settlementLine } from './settle.ts';

/** Lease of the job that outlives a freeze */
const LEASE_MS = 1_000;
/** Longer than any stall of a busy machine: these leases end only by the stop. */
const KEPT_LEASE = { HEDDLE_LEASE_S: '15' };
const STOPS_WITHIN_MS = 10_000;
const CLIENTS = 16;

describe(`a service with a running job (seed ${seed})`, { timeout: TEST_TIMEOUT_MS }, () => {
  const history = new History();
  let heddle: HeddleUnderFire;
  beforeAll(async () => {
    heddle = await HeddleUnderFire.start({ HEDDLE_LEASE_S: String(LEASE_MS / 1000), HEDDLE_DRAIN_S: '0.3' });
  });
  afterAll(async () => {
    await heddle?.stop();
  });

  const submit = async (workflow: object): Promise<Job> => {
    const key = crypto.randomUUID();
    const job = await heddle.client.submitted(workflow, { key });
    const sent = { key, workflow: JSON.stringify(workflow), outcome: 'ok', jobId: job.id, code: null } as const;
    history.submission({ ...sent });
    return job;
  };
  const atWork = async (job: Job): Promise<void> => {
    await eventually('the first output', async () => (await heddle.client.jobNow(job.id)).outputs.length > 0);
  };
  const eventsOf = async (jobId: string): Promise<readonly { type: string; data: string }[]> => {
    const owner = ownerPool(heddle.dataDir);
    const sql = `select type, convert_from(data, 'utf8') as data from jobs.event where stream_id = $1 order by version`;
    return (await owner.query<{ type: string; data: string }>(sql, [jobId]).finally(() => owner.end())).rows;
  };

  it('that is frozen for longer than the lease ends it once, with each output once', async () => {
    const running = await submit(sleepingGraph(1.5));
    const waiting = await submit(textGraph());
    await atWork(running);
    process.kill(heddle.process.pid, 'SIGSTOP');
    const thawAt = performance.now() + 2.5 * LEASE_MS;
    await eventually('the end of the frost', () => performance.now() >= thawAt);
    process.kill(heddle.process.pid, 'SIGCONT');
    const done = await heddle.client.reached(running.id, 'succeeded');
    expect(done.outputs.map(({ node_id }) => node_id)).toEqual(['2', '4']);
    await heddle.client.reached(waiting.id, 'succeeded');
    const types = (await eventsOf(running.id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'JobSucceeded')).toHaveLength(1);
    expect(types.filter((type) => type === 'OutputCommitted')).toHaveLength(2);
    process.stdout.write(`frozen past its lease: ${types.join(' ')}\n`);
  });

  it('that is told to stop does so in 10 s, and hands it back without spending the attempt', async () => {
    await heddle.process.terminate();
    await heddle.startAgain(KEPT_LEASE);
    // Long enough to be running at the stop, and short enough to run again.
    const running = await submit(sleepingGraph(5));
    await atWork(running);
    const started = performance.now();
    expect(await heddle.process.terminate()).toBe(0);
    const stoppedMs = performance.now() - started;
    process.stdout.write(`stopped with a running job after ${Math.round(stoppedMs)} ms\n`);
    expect(stoppedMs).toBeLessThan(STOPS_WITHIN_MS);

    await heddle.startAgain(KEPT_LEASE);

    const done = await heddle.client.reached(running.id, 'succeeded');

    expect(done.outputs.map(({ node_id }) => node_id)).toEqual(['2', '4']);
    const lost = (await eventsOf(running.id)).filter(({ type }) => type === 'LeaseLost');
    expect(lost.map(({ data }) => JSON.parse(data) as unknown)).toMatchObject([
      { reason: 'handed_back', attemptSpent: false },
    ]);
  });

  it('that is told to stop lets a short one finish', async () => {
    await heddle.process.terminate();
    await heddle.startAgain({ ...KEPT_LEASE, HEDDLE_DRAIN_S: '8' });
    const running = await submit(sleepingGraph(0.6));
    await atWork(running);
    expect(await heddle.process.terminate()).toBe(0);
    await heddle.startAgain();
    expect((await heddle.client.jobNow(running.id)).status).toBe('succeeded');
  });

  it(`that is told to stop while ${CLIENTS} clients are at work keeps every promise`, async () => {
    const { ended, pid } = heddle.process;
    const onAccepted = (count: number): void => {
      if (count === 30) process.kill(pid, 'SIGTERM');
    };
    const mix = { clients: CLIENTS, operations: 2_000, uploads: 0.2, cancels: 0.1, until: ended, onAccepted };
    await fire({ origin: heddle.url, history, random: new Random(seed), ...mix });
    expect(await within('the stop', ended, STOPS_WITHIN_MS)).toEqual({ code: 0, signal: null });
    await heddle.startAgain();
    const settlement = await settle(heddle, history);
    process.stdout.write(settlementLine('told to stop under load', settlement));
    // An orderly stop answers every request that it carried out.
    expect(settlement).toMatchObject({ lost: [], doubled: [], found: settlement.acknowledged, doneInSilence: 0 });
  });

  it('leaves a log that keeps every invariant, and gives the read model again', async () => {
    await drained(heddle, history);
    process.stdout.write(`frozen and drained: ${await examine(heddle, history)}`);
  });
});
