import { setTimeout as delay } from 'node:timers/promises';
import { HeddleClient, textGraph } from '@heddle/testing-api';
import { expect, it } from 'vitest';
import { describeOnCluster } from './on-cluster.js';

const OPTIONS = { env: { HEDDLE_READ_RATE: '1000' }, replicas: 'gateway=1,jobs=2,worker=1' };
const SUBMISSIONS = 8;
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
    frozen.freeze();
    const thaw = delay(FROZEN_MS).then(() => frozen.resume());
    const answers = await Promise.all(
      keys.map(async (key) => {
        const { status } = await client.submit(textGraph(), { key });
        if (status !== 201) await delay(BEGUN_COMMIT_MS);
        return { key, status, jobs: await jobsOf(key) };
      }),
    );
    await thaw;
    await delay(ABSENCE_MS);
    for (const { key, status, jobs } of answers) {
      expect([201, 500]).toContain(status);
      // The state that a client was shown must stay. The client may have repeated its graph with another key.
      expect([key, status, await jobsOf(key)]).toEqual([key, status, status === 201 ? 1 : jobs]);
    }
    process.stdout.write(`frozen replica: ${answers.map(({ status, jobs }) => `${status}/${jobs}`).join(' ')}\n`);
  });
});
