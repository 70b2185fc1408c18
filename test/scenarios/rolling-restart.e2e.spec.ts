import { HeddleClient, textGraph } from '@heddle/testing-api';
import { expect, it } from 'vitest';
import { describeOnCluster } from './on-cluster.js';

const SETTINGS = { HEDDLE_READ_RATE: '10000', HEDDLE_READ_BURST: '10000', HEDDLE_QUEUE_DEPTH_ACCOUNT: '100000' };
const OPTIONS = { env: SETTINGS, replicas: 'gateway=1,jobs=2,validation=2,assets=2,worker=1' };
const CLIENTS = 4;
/** Answers between two stops, so that the gateway has found the restarted replica */
const MIN_ANSWERS = 40;
const TEST_TIMEOUT_MS = 300_000;

await describeOnCluster('replicas that are restarted one after the other', OPTIONS, (on) => {
  it('fail no submission, and no read', { timeout: TEST_TIMEOUT_MS }, async () => {
    const client = await HeddleClient.connect(on().cluster.url);
    const answered: string[] = [];
    const failed: string[] = [];
    let going = true;
    const work = async (): Promise<void> => {
      while (going) {
        const submitted = await client.submit(textGraph());
        const { id } = JSON.parse(submitted.bytes.toString()) as { id: string };
        const read = await client.job(id);
        const statuses = `${submitted.status} ${read.status}`;
        (statuses === '201 200' ? answered : failed).push(`${statuses}: ${submitted.bytes.toString()}`);
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, work));
    for (const replica of on().cluster.processes) {
      if (!['jobs', 'validation', 'assets'].includes(replica.plan.service)) continue;
      const before = answered.length;
      await expect.poll(() => answered.length, { timeout: 60_000 }).toBeGreaterThan(before + MIN_ANSWERS);
      await replica.stop();
      await replica.start();
    }
    going = false;
    await clients;
    expect(failed).toEqual([]);
    process.stdout.write(`rolling restart: ${answered.length} submissions and reads\n`);
  });
});
