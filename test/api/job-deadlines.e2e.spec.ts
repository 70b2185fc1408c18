import { sleepingGraph, textGraph } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { msBetween } from './expectations.js';
import { ownServer, useServer } from './server.js';

/** Longer than the next job on a busy machine, including the restart of the killed engine process. */
const MAX_RUNTIME_S = 6;

describe.runIf(ownServer)('a job that runs too long', () => {
  const server = useServer({ HEDDLE_MAX_RUNTIME_S: String(MAX_RUNTIME_S) });

  it.each([
    ['sleeps', sleepingGraph(60)],
    ['spins', { ...textGraph(), '3': { class_type: 'HeddleTestSpin', inputs: { value: ['1', 0] } } }],
  ])('fails with timeout when it %s, and the next one runs (decisions, Maximum runtime)', async (_, graph) => {
    const { id } = await server.client.submitted(graph);
    const job = await server.client.ended(id);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(msBetween(job.started_at, job.completed_at)).toBeGreaterThanOrEqual(MAX_RUNTIME_S * 1000);
    expect(msBetween(job.started_at, job.completed_at)).toBeLessThan(20_000);
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
