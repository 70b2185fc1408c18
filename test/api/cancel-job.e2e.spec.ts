import { expectStatus, jsonOf, sleepingGraph, textGraph, withoutUrlExpiry } from '@heddle/testing-api';
import type { Job } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal, msBetween, sameBody } from './expectations.js';
import { fillSlots, ownServer, unknownId, useServer } from './server.js';

const server = useServer(ownServer ? { HEDDLE_CANCEL_GRACE_S: '2' } : {}, { alone: true });

describe('POST /api/v2/jobs/{id}/cancel', () => {
  const cancel = async (id: string): Promise<Job> => jsonOf<Job>(expectStatus(await server.client.cancel(id), 200));

  it('answers 200 and the Job, which becomes canceled: the engine is interrupted (decisions, Cancel) [CN01]', async () => {
    const { id, urls } = await server.client.submitted(sleepingGraph(60));
    await server.client.reached(id, 'running');
    const answered = jsonOf<Job>(expectStatus(await server.client.follow(urls.cancel, 'POST'), 200));
    expect(['canceling', 'canceled']).toContain(answered.status);
    const job = await server.client.reached(id, 'canceled');
    expect(job.error).toBeNull();
    expect(msBetween(job.started_at, job.completed_at)).toBeLessThan(20_000);
    const next = await server.client.submitted(textGraph());
    await server.client.reached(next.id, 'succeeded');
  });

  it('cancels a waiting job at once: no engine ever runs it, the others move up (decisions, Edges) [CN02]', async () => {
    const release = await fillSlots(server);
    const first = await server.client.submitted(textGraph());
    const second = await server.client.submitted(textGraph());
    expect(second.queue_position).toBe(2);
    const canceled = await cancel(first.id);
    expect(canceled).toMatchObject({ status: 'canceled', started_at: null, queue_position: null, outputs: [] });
    expect(canceled.completed_at).not.toBeNull();
    expect((await server.client.jobNow(second.id)).queue_position).toBe(1);
    await release();
    await server.client.reached(second.id, 'succeeded');
    expect(await server.client.jobNow(first.id)).toMatchObject({ status: 'canceled', outputs: [] });
  });

  it('changes nothing on a job that ended, however often it is asked (decisions, Terminal) [CN03]', async () => {
    const { id } = await server.client.submitted(textGraph());
    const before = withoutUrlExpiry(await server.client.reached(id, 'succeeded'));
    expect(withoutUrlExpiry(await cancel(id))).toEqual(before);
    expect(withoutUrlExpiry(await cancel(id))).toEqual(before);
    expect(withoutUrlExpiry(await server.client.jobNow(id))).toEqual(before);
  });

  it('answers 404 to an unknown id (Errors, Other rules 1) [CN04]', async () => {
    const answer = await server.client.cancel(unknownId());
    expectRefusal(answer, 404, 'not_found');
    sameBody(answer, await server.client.job(unknownId()));
  });

  it('answers 200 to each of 20 parallel cancels and ends the job once [CN06]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    await server.client.reached(id, 'running');
    const stream = await server.client.events(id);
    const jobs = await Promise.all(Array.from({ length: 20 }, () => cancel(id)));
    expect(jobs.every((job) => ['canceling', 'canceled'].includes(job.status))).toBe(true);
    const frames = await stream.all();
    const statuses = frames.filter((frame) => frame.event === 'status').map((frame) => frame.data['status']);
    expect(statuses.filter((status) => status === 'canceled')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'canceling').length).toBeLessThanOrEqual(1);
  });

  it('needs no body and no content type, and takes an empty or an odd one (decisions, Error codes)', async () => {
    const { id } = await server.client.submitted(textGraph());
    const target = `/api/v2/jobs/${id}/cancel`;
    for (const body of [undefined, '', '{}', 'not json'])
      expectStatus(await server.client.request('POST', target, { body }), 200);
    const headers = { 'content-type': 'application/json', 'content-length': '0' };
    expectStatus(await server.client.request('POST', target, { headers }), 200);
  });

  it('settles 100 races of a cancel with the end in one terminal state that GET and stream agree on [CN05]', async () => {
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 100; round += 1) {
      const { id } = await server.client.submitted(textGraph());
      const stream = await server.client.events(id);
      if (round % 2 === 0)
        await stream.until('running', (frame) => frame.data['status'] === 'running' || frame.event === 'output');
      const answered = await cancel(id);
      const frames = await stream.all();
      const terminal = frames.filter((frame) => frame.event === 'status').at(-1)?.data['status'] as string;
      const job = await server.client.jobNow(id);
      expect(job.status).toBe(terminal);
      expect(['succeeded', 'canceled']).toContain(terminal);
      if (['succeeded', 'canceled'].includes(answered.status)) expect(answered.status).toBe(terminal);
      expect(frames.filter((frame) => frame.event === 'output')).toHaveLength(job.outputs.length);
      outcomes.set(terminal, (outcomes.get(terminal) ?? 0) + 1);
    }
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(100);
    // In a cluster, each round makes a dozen calls between processes of a busy machine.
  }, 300_000);
});

describe.runIf(ownServer)('a cancel that the engine does not hear', () => {
  it('ends the job all the same, and the next one runs (decisions, Edges)', async () => {
    const { id } = await server.client.submitted({
      ...textGraph(),
      '3': { class_type: 'HeddleTestSpin', inputs: { value: ['1', 0] } },
    });
    await server.client.reached(id, 'running');
    expectStatus(await server.client.cancel(id), 200);
    await server.client.reached(id, 'canceled');
    const next = await server.client.submitted(textGraph());
    await server.client.reached(next.id, 'succeeded');
  });
});
