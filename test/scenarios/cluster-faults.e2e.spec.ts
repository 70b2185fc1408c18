import { freshBytes, HeddleClient, isTerminalFrame, sleepingGraph, textGraph } from '@heddle/testing-api';
import { beforeAll, expect, it } from 'vitest';
import { describeOnCluster } from './on-cluster.js';

const SETTINGS = {
  HEDDLE_TEST_NODES: '1',
  HEDDLE_LEASE_S: '3',
  // The restart of the only assets service takes longer than an attempt waits for it, so retries are fast and many.
  HEDDLE_RETRY_DELAY_S: '0.3',
  HEDDLE_MAX_ATTEMPTS: '50',
  HEDDLE_READ_RATE: '1000',
  HEDDLE_READ_BURST: '2000',
  HEDDLE_QUEUE_DEPTH_ACCOUNT: '1000',
};
/** `HEDDLE_TEST_BROKER_AWAY_S` sets a longer outage than a normal test run has time for. */
const BROKER_AWAY_MS = Number(process.env['HEDDLE_TEST_BROKER_AWAY_S'] ?? 20) * 1000;
const BACK_WITHIN_MS = 15_000;
const JOB_WITHIN_MS = 60_000;
/** Time-out of one test: a service starts and all jobs end, on a busy machine. */
const TEST_TIMEOUT_MS = 300_000;

await describeOnCluster('faults of a cluster under a light load', { env: SETTINGS }, (on) => {
  let client: HeddleClient;
  beforeAll(async () => {
    client = await HeddleClient.connect(on().cluster.url);
  });
  /** Submits and uploads until `stop`. Only answered requests must be kept. */
  const load = () => {
    const jobs: string[] = [];
    const assets = new Map<string, Buffer>();
    let going = true;
    const one = async (): Promise<void> => {
      while (going) {
        const answer = await client.submit(textGraph()).catch(() => null);
        if (answer?.status === 201) jobs.push((JSON.parse(answer.bytes.toString()) as { id: string }).id);
        const bytes = freshBytes(20_000);
        const form = { bytes, content_type: 'a/b', file_path: 'x.bin' };
        const upload = await client.upload(form).catch(() => null);
        if (upload?.status === 201) assets.set((JSON.parse(upload.bytes.toString()) as { id: string }).id, bytes);
      }
    };
    const all = Promise.all([one(), one()]);
    return { jobs, assets, stop: async () => void ((going = false), await all) };
  };

  it.each(['gateway', 'validation', 'assets', 'jobs', 'worker'] as const)(
    'kill -9 of one %s loses nothing that was acknowledged, and it comes back',
    { timeout: TEST_TIMEOUT_MS },
    async (service) => {
      const victim = on().cluster.processes.find(({ plan }) => plan.service === service)!;
      const traffic = load();
      await expect.poll(() => traffic.jobs.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
      const before = victim.pid;
      await victim.kill();
      const acknowledged = traffic.jobs.length;
      await expect.poll(() => traffic.jobs.length, { timeout: 60_000 }).toBeGreaterThan(acknowledged + 3);
      await expect.poll(() => victim.pid !== undefined && victim.pid !== before, { timeout: 30_000 }).toBe(true);
      await traffic.stop();
      for (const id of traffic.jobs) await client.reached(id, 'succeeded', JOB_WITHIN_MS);
      for (const [id, bytes] of traffic.assets) {
        await expect.poll(async () => (await client.content(id)).status).toBe(200);
        expect((await client.content(id)).bytes.equals(bytes)).toBe(true);
      }
    },
  );

  const broker = { timeout: BROKER_AWAY_MS + TEST_TIMEOUT_MS };
  it('goes on without its broker: jobs end, streams end, and events flow again when it is back', broker, async () => {
    const { kafka } = on().servers;
    // The job must not end when the broker stops: messages in flight then arrive only after its return.
    const running = await client.submitted(sleepingGraph(6));
    const streams = [await client.events(running.id)];
    await kafka.kill(0);
    const away = performance.now();
    const jobs = [];
    while (performance.now() - away < BROKER_AWAY_MS || jobs.length < 4) {
      const job = await client.submitted(textGraph());
      streams.push(await client.events(job.id));
      await client.reached(job.id, 'succeeded');
      jobs.push(job.id);
    }
    for (const stream of streams) expect((await stream.all(30_000)).at(-1)?.data['status']).toBe('succeeded');

    await kafka.start(0);
    const back = performance.now();
    // Polls show only statuses; progress reaches both gateways over the broker.
    await expect
      .poll(async () => (await eventsOf(sleepingGraph(1))).has('progress'), { timeout: BACK_WITHIN_MS, interval: 100 })
      .toBe(true);
    expect(performance.now() - back).toBeLessThan(BACK_WITHIN_MS + 5_000);
  });

  async function eventsOf(graph: ReturnType<typeof sleepingGraph>): Promise<Set<string>> {
    const stream = await client.events((await client.submitted(graph)).id);
    await stream.until('the end of the job', isTerminalFrame);
    stream.close();
    return new Set(stream.frames.map((frame) => frame.event));
  }
});
