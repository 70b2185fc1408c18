import { request } from 'node:http';
import { eventually, isTerminalFrame, sleepingGraph, StreamRefused, textGraph } from '@heddle/testing-api';
import type { EventStream } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { fillSlots, ownServer, useServer } from './server.js';

describe.runIf(ownServer)('many event streams', () => {
  const settings = {
    HEDDLE_STREAMS_ACCOUNT: '110',
    HEDDLE_HEARTBEAT_S: '0.3',
    HEDDLE_QUEUE_DEPTH_ACCOUNT: '300',
  };
  const server = useServer(settings);
  const refusedWith = async (id: string): Promise<StreamRefused> => {
    const stream = await server.client.events(id).catch((error: unknown) => error);
    if (stream instanceof StreamRefused) return stream;
    (stream as EventStream).close();
    throw new Error('the stream was opened');
  };

  it('serves 100 streams on 100 jobs to their ends (Events) [EV09]', async () => {
    const release = await fillSlots(server);
    const jobs = await Promise.all(Array.from({ length: 100 }, () => server.client.submitted(textGraph())));
    const streams = await Promise.all(jobs.map((job) => server.client.events(job.id)));
    for (const stream of streams) await stream.until('a status', (frame) => frame.event === 'status');
    await release();
    const ends = await Promise.all(streams.map(async (stream) => (await stream.all(120_000)).at(-1)?.data['status']));
    expect(new Set(ends)).toEqual(new Set(['succeeded']));
  }, 240_000);

  it('sends a comment when nothing else is sent (decisions, Events: heartbeat) [EV10]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    const stream = await server.client.events(id);
    await expect.poll(() => stream.comments.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    stream.close();
    await server.client.cancel(id);
    await server.client.reached(id, 'canceled');
  });

  it('answers 429 too_many_streams with Retry-After above the limit, and serves again below it (decisions, Streams)', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    const streams = await Promise.all(Array.from({ length: 110 }, () => server.client.events(id)));
    const refused = await refusedWith(id);
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: 'too_many_streams' } });
    const answer = await server.client.get(`/api/v2/jobs/${id}/events`);
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    streams.pop()?.close();
    const again = await eventually('a free place', () => server.client.events(id).catch(() => null));
    for (const stream of [...streams, again]) stream.close();
    await server.client.cancel(id);
  });

  it('keeps no place and no socket of clients that went away 500 times (Events) [EV16]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    const drop = (): Promise<void> =>
      new Promise((done) => {
        const outgoing = request(`${server.url}/api/v2/jobs/${id}/events`, { agent: false });
        outgoing.on('response', () => outgoing.destroy());
        outgoing.on('close', done);
        outgoing.on('error', () => undefined);
        outgoing.end();
      });
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 50 }, drop));
    const opened = await eventually('all places being free', async () => {
      const streams = await Promise.allSettled(Array.from({ length: 110 }, () => server.client.events(id)));
      const good = streams.flatMap((stream) => (stream.status === 'fulfilled' ? [stream.value] : []));
      for (const stream of good) stream.close();
      return good.length === 110;
    });
    expect(opened).toBe(true);
    await server.client.cancel(id);
  });

  it('does not let a client that stops reading hold up its job or other streams (Events) [EV11]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(1.5));
    const slow = await Promise.all(Array.from({ length: 5 }, () => server.client.events(id)));
    for (const stream of slow) stream.pause();
    const quick = await server.client.events(id);
    expect((await quick.all()).at(-1)?.data['status']).toBe('succeeded');
    for (const stream of slow) {
      stream.resume();
      await stream.until('the end of the job', isTerminalFrame);
    }
  });
});
