import { setTimeout as delay } from 'node:timers/promises';
import { HeddleClient, textGraph } from '@heddle/testing-api';
import { expect, it } from 'vitest';
import { describeOnCluster } from './on-cluster.js';

const OPTIONS = { env: { HEDDLE_READ_RATE: '1000' }, replicas: 'gateway=1,jobs=2,worker=1' };
const SUBMISSIONS = 8;
const WARM_UP = 4;
/** The pace of the client: submissions of one moment share a message, and only one replica would get it. */
const PACE_MS = 250;
/**
 * Less than the silence after which a gateway gives a connection up (3 s), by the pace and the age of its last ping: an
 * answer that took longer waited for the frozen replica.
 */
const MIN_DETECTION_MS = 2_000;
/** Longer than the deadlines of a submission and of the look-up after it: the length of the fault. */
const FROZEN_MS = 25_000;
/** A job that was never created gives no signal, so only time shows that none follows. */
const ABSENCE_MS = 3_000;
/** The same for a commit that the other replica may have begun when its caller was refused. */
const BEGUN_COMMIT_MS = 1_500;

await describeOnCluster('a jobs replica that is frozen', OPTIONS, (on) => {
  it('carries out no submission whose client was told that there is no job', { timeout: 180_000 }, async () => {
    const client = await HeddleClient.connect(on().cluster.url);
    const keys = Array.from({ length: SUBMISSIONS }, (_, at) => `frozen-${at}-${Date.now()}`);
    const jobsOf = async (key: string): Promise<number> =>
      (await client.jobPage(`?idempotency_key=${key}`)).jobs.length;
    const frozen = on().cluster.processes.find(({ plan }) => plan.service === 'jobs')!;
    // A gateway that has just started may have connected to one replica only.
    for (let at = 0; at < WARM_UP; at += 1) await client.submitted(textGraph());
    frozen.freeze();
    const thaw = delay(FROZEN_MS).then(() => frozen.resume());
    const answers = await Promise.all(
      keys.map(async (key, at) => {
        await delay(at * PACE_MS);
        const sentAt = performance.now();
        const { status } = await client.submit(textGraph(), { key });
        const tookMs = Math.round(performance.now() - sentAt);
        // A look-up between two submissions would take the frozen replica's turn.
        if (status === 201) return { key, status, tookMs, jobs: 1 };
        await delay(BEGUN_COMMIT_MS);
        return { key, status, tookMs, jobs: await jobsOf(key) };
      }),
    );
    await thaw;
    await delay(ABSENCE_MS);
    for (const { key, status, jobs } of answers) {
      expect([201, 500]).toContain(status);
      // The state that a client was shown must stay. The client may have repeated its graph with another key.
      expect([key, status, await jobsOf(key)]).toEqual([key, status, status === 201 ? 1 : jobs]);
    }
    const seen = answers.map(({ status, jobs, tookMs }) => `${status}/${jobs} after ${tookMs} ms`).join(', ');
    process.stdout.write(`frozen replica: ${seen}\n`);
    const affected = answers.filter(({ status, tookMs }) => status === 500 || tookMs > MIN_DETECTION_MS);
    expect(affected.length, `no submission met the frozen replica: ${seen}`).toBeGreaterThan(0);
  });
});
