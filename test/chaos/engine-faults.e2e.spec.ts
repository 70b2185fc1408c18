import { eventually, pictureGraph, sleepingGraph, textGraph, withoutUrlExpiry } from '@heddle/testing-api';
import type { Graph, Job } from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerPool } from './examine.ts';
import { HeddleUnderFire, TEST_TIMEOUT_MS } from './heddle-under-fire.ts';
import { enginesOf } from './processes.ts';

const CREDENTIALS = { api_key_partner_org: 'a-partner-key' };

function lone(class_type: string, inputs: Record<string, unknown> = {}): Graph {
  return { '1': { class_type, inputs } };
}

/** A graph with a picture first, and then a node that harms the engine. */
function pictureThen(class_type: string, inputs: Record<string, unknown>): Graph {
  return { ...pictureGraph(), '9': { class_type, inputs: { ...inputs, value: ['1', 0] } } };
}

describe('an engine that fails in the middle of a run', { timeout: TEST_TIMEOUT_MS }, () => {
  let heddle: HeddleUnderFire;
  beforeAll(async () => {
    heddle = await HeddleUnderFire.start({
      HEDDLE_MAX_ATTEMPTS: '3',
      HEDDLE_LEASE_S: '10',
      HEDDLE_ENGINE_MEMORY_MB: '128',
      HEDDLE_WORKERS: '1',
    });
  });
  afterAll(async () => {
    await heddle?.stop();
  });

  const eventsOf = async (jobId: string): Promise<readonly string[]> => {
    const owner = ownerPool(heddle.dataDir);
    const sql = 'select type from jobs.event where stream_id = $1 order by version';
    const { rows } = await owner.query<{ type: string }>(sql, [jobId]).finally(() => owner.end());
    return rows.map(({ type }) => type);
  };
  const attemptsOf = async (job: Job): Promise<number> =>
    (await eventsOf(job.id)).filter((type) => type === 'JobLeased').length;
  const killEngine = async (): Promise<void> => {
    const [engine] = await eventually('an engine process', () => {
      const engines = enginesOf(heddle.process.pid);
      return engines.length > 0 ? engines : null;
    });
    process.kill(engine ?? 0, 'SIGKILL');
  };
  /** Waits for the first output: the engine is running the job. */
  const atWork = async (job: Job): Promise<void> => {
    await eventually('the first output', async () => (await heddle.client.jobNow(job.id)).outputs.length > 0);
  };

  it('and is killed costs the attempt; the next one succeeds, and each output appears once', async () => {
    // Long enough to be running when the engine is killed.
    const job = await heddle.client.submitted(sleepingGraph(5));
    await atWork(job);
    const [first] = (await heddle.client.jobNow(job.id)).outputs;
    await killEngine();
    const done = await heddle.client.reached(job.id, 'succeeded');
    expect(await eventsOf(job.id)).toContain('LeaseLost');
    expect(done.outputs.map(({ node_id }) => node_id)).toEqual(['2', '4']);
    expect(withoutUrlExpiry(done.outputs[0])).toEqual(withoutUrlExpiry(first));
    for (const output of done.outputs) expect((await heddle.client.content(output.id)).status).toBe(200);
  });

  it('each time ends the job as worker_lost after three attempts, while the jobs behind it run', async () => {
    const poison = await heddle.client.submitted(pictureThen('HeddleTestCrash', { how: 'kill' }));
    const behind = await Promise.all(
      [textGraph(), textGraph(), textGraph()].map((graph) => heddle.client.submitted(graph)),
    );
    for (const job of behind) await heddle.client.reached(job.id, 'succeeded');
    const failed = await heddle.client.reached(poison.id, 'failed');
    expect(failed.error?.code).toBe('worker_lost');
    expect(await attemptsOf(poison)).toBe(3);
    expect(new Set(failed.outputs.map(({ id }) => id)).size).toBe(failed.outputs.length);
    expect(failed.outputs.length).toBeLessThanOrEqual(1);
  });

  it('for want of memory ends the job as out_of_memory at once', async () => {
    const job = await heddle.client.submitted(lone('HeddleTestMemory', { kind: 'pixels' }));
    const failed = await heddle.client.reached(job.id, 'failed');
    expect(failed.error?.code).toBe('out_of_memory');
    expect(await attemptsOf(job)).toBe(1);
  });

  it('by never ending is ended as timeout at the maximum runtime', async () => {
    await heddle.process.terminate();
    await heddle.startAgain({ HEDDLE_MAX_RUNTIME_S: '8' });
    const job = await heddle.client.submitted(lone('HeddleTestSpin'));
    const failed = await heddle.client.reached(job.id, 'failed');
    expect(failed.error?.code).toBe('timeout');
    expect(await attemptsOf(job)).toBe(1);
    await heddle.client.reached((await heddle.client.submitted(textGraph())).id, 'succeeded');
    await heddle.process.terminate();
    await heddle.startAgain();
  });

  it('has no second attempt at a job with credentials: it might charge twice', async () => {
    const job = await heddle.client.submitted(sleepingGraph(30), { extraData: CREDENTIALS });
    await atWork(job);
    await killEngine();
    const failed = await heddle.client.reached(job.id, 'failed');
    expect(failed.error?.code).toBe('worker_lost');
    expect(await attemptsOf(job)).toBe(1);
  });

  it('leaves the service that is killed: a waiting job with credentials then fails as credential_lost, unrun', async () => {
    const running = await heddle.client.submitted(sleepingGraph(30));
    await atWork(running);
    const waiting = await heddle.client.submitted(textGraph(), { extraData: CREDENTIALS });
    const plain = await heddle.client.submitted(textGraph());
    await heddle.process.kill9();
    await heddle.startAgain();
    await heddle.client.cancel(running.id);
    const failed = await heddle.client.reached(waiting.id, 'failed');
    expect(failed.error?.code).toBe('credential_lost');
    expect(failed.outputs).toEqual([]);
    expect(await eventsOf(waiting.id)).toEqual(['JobSubmitted', 'JobFailed']);
    await heddle.client.reached(plain.id, 'succeeded');
  });
});
