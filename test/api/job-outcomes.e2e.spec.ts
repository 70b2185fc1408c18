import { sleepingGraph, textGraph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { msBetween } from './expectations.js';
import { ownServer, useServer } from './server.js';

const last = (class_type: string, inputs: Record<string, unknown>) => ({
  ...textGraph(),
  '3': { class_type, inputs: { ...inputs, value: ['1', 0] } },
});

describe.runIf(ownServer)('an engine that breaks', () => {
  const server = useServer({ HEDDLE_MAX_ATTEMPTS: '2', HEDDLE_ENGINE_MEMORY_MB: '256' });

  it('loses the attempt when it crashes, then the job fails with worker_lost (decisions, Engine faults) [JB08]', async () => {
    const { id } = await server.client.submitted(last('HeddleTestCrash', { how: 'exit' }));
    const job = await server.client.ended(id, 25_000);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'worker_lost' } });
    expect(job.outputs.map((output) => output.node_id)).toEqual(['2']);
  });

  it('ends the job with out_of_memory, without another attempt (decisions, Engine faults)', async () => {
    const { id } = await server.client.submitted(last('HeddleTestMemory', { kind: 'pixels' }));
    const job = await server.client.ended(id, 25_000);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'out_of_memory' } });
  });

  it('ends a job whose script heap is exhausted with out_of_memory too', async () => {
    const { id } = await server.client.submitted(last('HeddleTestMemory', { kind: 'heap' }));
    const job = await server.client.ended(id, 28_000);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'out_of_memory' } });
  });

  it('takes the next job as if nothing had happened', async () => {
    const { id } = await server.client.submitted(textGraph());
    await server.client.reached(id, 'succeeded');
  });
});

describe.runIf(ownServer)('a job that runs too long', () => {
  const server = useServer({ HEDDLE_MAX_RUNTIME_S: '1' });

  it.each([
    ['sleeps', sleepingGraph(60)],
    ['spins', last('HeddleTestSpin', {})],
  ])('fails with timeout when it %s, and the next one runs (decisions, Maximum runtime)', async (_, graph) => {
    const { id } = await server.client.submitted(graph);
    const job = await server.client.ended(id);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(msBetween(job.started_at, job.completed_at)).toBeGreaterThanOrEqual(1000);
    expect(msBetween(job.started_at, job.completed_at)).toBeLessThan(6000);
    const next = await server.client.submitted(textGraph());
    await server.client.reached(next.id, 'succeeded');
  });
});

describe.runIf(ownServer)('a job that waits too long', () => {
  const server = useServer({ HEDDLE_WORKERS: '0', HEDDLE_MAX_QUEUE_WAIT_S: '1' });

  it('expires, and its stream ends with that (decisions, Edges; Maximum queue wait) [EV18]', async () => {
    const { id } = await server.client.submitted(textGraph());
    const stream = await server.client.events(id);
    const frames = await stream.all();
    expect(frames.at(-1)).toMatchObject({ event: 'status', data: { status: 'expired' } });
    const job = await server.client.jobNow(id);
    expect(job).toMatchObject({ status: 'expired', started_at: null, queue_position: null });
    expect(job.completed_at).not.toBeNull();
    expect((await server.client.cancel(id)).status).toBe(200);
    expect((await server.client.jobNow(id)).status).toBe('expired');
  });
});

describe.runIf(ownServer)('a service that is killed', () => {
  const server = useServer({ HEDDLE_LEASE_S: '2', HEDDLE_WORKERS: '1' });

  it('still has the job that it acknowledged the moment before, and runs it (What the service does, rule 2) [JS02]', async () => {
    const running = await server.client.submitted(sleepingGraph(3));
    await server.client.reached(running.id, 'running');
    const waiting = await server.client.submitted(textGraph('after the crash'));
    await server.restart('kill9');
    expect((await server.client.job(waiting.id)).status).toBe(200);
    await server.client.reached(running.id, 'succeeded', 25_000);
    await server.client.reached(waiting.id, 'succeeded', 25_000);
  });

  it('answers every asset and job that it acknowledged, wherever it was killed [XC11]', async () => {
    const asset = await server.client.uploaded({ bytes: Buffer.from('kept through the crash') });
    const jobs = await Promise.all(Array.from({ length: 10 }, () => server.client.submitted(textGraph())));
    await server.restart('kill9');
    expect((await server.client.content(asset.id)).bytes.toString()).toBe('kept through the crash');
    for (const { id } of jobs) await server.client.reached(id, 'succeeded', 20_000);
  });
});
