import {
  failingGraph,
  isTerminal,
  isTerminalFrame,
  pictureGraph,
  sleepingGraph,
  textGraph,
  withoutUrlExpiry,
} from '@heddle/testing-api';
import type { EventStream, Frame, Output, Progress } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal, sameBody } from './expectations.js';
import { fillSlots, unknownId, useServer } from './server.js';

const EVENTS = ['status', 'progress', 'preview', 'output'];
const kinds = (frames: readonly Frame[]): string[] => frames.map((frame) => frame.event);
const of = (frames: readonly Frame[], event: string) =>
  frames.filter((frame) => frame.event === event).map((frame) => frame.data);

describe('GET /api/v2/jobs/{id}/events', () => {
  const server = useServer({}, { alone: true });
  /** Opens the stream before the job runs, so that it shows the whole run. */
  const fromTheQueue = async (graph: object): Promise<{ id: string; stream: EventStream; began: number }> => {
    const release = await fillSlots(server);
    const { id } = await server.client.submitted(graph);
    const stream = await server.client.events(id);
    const began = performance.now();
    await release();
    return { id, stream, began };
  };

  it('begins with the status as it is, and carries no id in the whole stream (Events 1 and 3) [EV01]', async () => {
    const release = await fillSlots(server);
    const { id } = await server.client.submitted(textGraph());
    const stream = await server.client.events(id);
    const first = await stream.until('a first frame', () => true);
    expect(first).toMatchObject({ event: 'status', data: { status: 'queued', queue_position: 1 } });
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(stream.headers['cache-control']).toMatch(/no-store|no-cache/);
    expect(stream.headers['content-encoding']).toBeUndefined();
    expect(stream.headers['x-request-id']).toBeDefined();
    await release();
    await stream.all();
    expect(stream.text()).not.toMatch(/^(id|retry):/m);
  });

  it('answers HEAD with the head of the stream and ends (decisions, HEAD)', async () => {
    const { id } = await server.client.submitted(textGraph());
    const { headers } = await server.client.events(id);
    const head = await server.client.request('HEAD', `/api/v2/jobs/${id}/events`);
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'cache-control', 'content-length', 'x-accel-buffering'])
      expect(head.headers[name]).toBe(headers[name]);
  });

  it('shows a whole run: status in order, progress that never falls, outputs, and last the one terminal status (Events 2) [EV03]', async () => {
    const { stream } = await fromTheQueue(sleepingGraph(1.5));
    const frames = await stream.all(45_000);
    const statuses = of(frames, 'status').map((data) => String(data['status']));
    expect(statuses.filter((status, i) => status !== statuses[i - 1])).toEqual(['queued', 'running', 'succeeded']);
    expect(statuses.filter(isTerminal)).toHaveLength(1);
    expect(isTerminalFrame(frames.at(-1)!)).toBe(true);
    const values = of(frames, 'progress').map((data) => Number(data['value']));
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(values.at(-1)).toBe(1);
  });

  it('throttles progress to about two a second, and the last one before the end is never lost (decisions, Events) [EV03]', async () => {
    const { id, stream, began } = await fromTheQueue(sleepingGraph(2));
    const frames = await stream.all(45_000);
    const halfSeconds = Math.ceil((performance.now() - began) / 500);
    const progress = of(frames, 'progress') as unknown as Progress[];
    // Two frames per second, plus the immediate first frame and the frame before the end.
    expect(progress.length).toBeLessThanOrEqual(halfSeconds + 2);
    const job = await server.client.jobNow(id);
    expect(progress.at(-1)).toEqual(job.progress);
  });

  it('ends within a second of the terminal status (Events 2) [EV03]', async () => {
    const tookMs: number[] = [];
    // A stall of the machine may delay one round; a delay of the server would appear in every round.
    for (let round = 0; round < 3 && !tookMs.some((ms) => ms < 1000); round += 1) {
      const { id } = await server.client.submitted(textGraph());
      const stream = await server.client.events(id);
      await stream.until('the end of the job', isTerminalFrame);
      const told = performance.now();
      await stream.ended;
      tookMs.push(performance.now() - told);
    }
    expect(Math.min(...tookMs)).toBeLessThan(1000);
  });

  it.each([
    ['succeeded', () => pictureGraph()],
    ['failed', () => failingGraph()],
  ])(
    'shows a job that has %s already: progress, the outputs, last the terminal status (decisions, Events) [EV04]',
    async (status, graph) => {
      const { id } = await server.client.submitted(graph());
      const job = await server.client.ended(id);
      const frames = await (await server.client.events(id)).all();
      expect(frames.at(-1)).toMatchObject({ event: 'status', data: { status } });
      expect(kinds(frames).filter((kind) => kind === 'status')).toHaveLength(1);
      expect(of(frames, 'progress').at(-1)).toEqual(job.progress);
      expect(withoutUrlExpiry(of(frames, 'output'))).toEqual(withoutUrlExpiry(job.outputs));
    },
  );

  it('sends every output before the terminal status, as GET shows it (decisions, Events) [EV05]', async () => {
    const graph = { ...sleepingGraph(0.3), '8': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } } };
    const { id } = await server.client.submitted(graph);
    const frames = await (await server.client.events(id)).all();
    const job = await server.client.jobNow(id);
    const byId = new Map(of(frames, 'output').map((data) => [data['id'], data]));
    expect(withoutUrlExpiry([...byId.values()])).toEqual(
      expect.arrayContaining(withoutUrlExpiry(job.outputs) as object[]),
    );
    expect(byId.size).toBe(job.outputs.length);
    expect(job.outputs).toHaveLength(3);
  });

  it('gives what was committed already to a client that connects in the middle of a run (Events 1) [EV02]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    await expect.poll(async () => (await server.client.jobNow(id)).outputs.length, { timeout: 30_000 }).toBe(1);
    await expect
      .poll(async () => (await server.client.jobNow(id)).progress?.value ?? 0, { timeout: 30_000 })
      .toBeGreaterThan(0);
    const stream = await server.client.events(id);
    await stream.until('an output', (frame) => frame.event === 'output');
    expect(kinds(stream.frames).slice(0, 2)).toEqual(['status', 'progress']);
    expect(stream.frames[0]?.data['status']).toBe('running');
    await server.client.cancel(id);
    await stream.all();
  });

  it('ignores Last-Event-ID (Events 3) [EV06]', async () => {
    const { id } = await server.client.submitted(textGraph());
    await server.client.ended(id);
    const plain = await (await server.client.events(id)).all();
    const resumed = await (await server.client.events(id, { 'last-event-id': '1' })).all();
    // The URL of an output has its own expiry in each stream.
    const shown = (frames: readonly Frame[]): string[] =>
      frames.map(({ raw }) => raw.replace(/"url_expires_at":"[^"]+"/, ''));
    expect(shown(resumed)).toEqual(shown(plain));
  });

  it('re-syncs a client that was away with one progress snapshot, not with what it missed (Events 4) [EV07]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    const first = await server.client.events(id);
    const seen = await first.until(
      'progress',
      (frame) => frame.event === 'progress' && Number(frame.data['value']) > 0,
    );
    first.close();
    await expect
      .poll(async () => (await server.client.jobNow(id)).progress?.value ?? 0, { timeout: 30_000 })
      .toBeGreaterThan(Number(seen.data['value']));
    const stream = await server.client.events(id);
    const snapshot = await stream.until('a snapshot', (frame) => frame.event === 'progress');
    expect(stream.frames.indexOf(snapshot)).toBe(1);
    expect(Number(snapshot.data['value'])).toBeGreaterThan(Number(seen.data['value']));
    await server.client.cancel(id);
    await stream.all();
  });

  it('sends the same to all streams of a job (Events) [EV08]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(0.6));
    const streams = await Promise.all(Array.from({ length: 5 }, () => server.client.events(id)));
    const told = await Promise.all(
      streams.map(async (stream) => (await stream.all()).filter((frame) => frame.event !== 'progress')),
    );
    const distinct = (frames: readonly Frame[]) =>
      frames.map((frame) => JSON.stringify([frame.event, frame.data['status'] ?? frame.data['id']]));
    for (const frames of told) expect(distinct(frames).slice(-3)).toEqual(distinct(told[0] ?? []).slice(-3));
  });

  it('lets GET be at the same state as each status frame or a later one (Events 4) [EV12]', async () => {
    const order = ['queued', 'running', 'canceling', 'succeeded', 'failed', 'canceled', 'expired'];
    const { id, stream } = await fromTheQueue(sleepingGraph(0.3));
    for (const status of ['running', 'succeeded']) {
      await stream.until(status, (frame) => frame.data['status'] === status);
      expect(order.indexOf((await server.client.jobNow(id)).status)).toBeGreaterThanOrEqual(order.indexOf(status));
    }
  });

  it('makes outputs readable the moment their frame arrives (Job, outputs)', async () => {
    const { id } = await server.client.submitted(sleepingGraph(1));
    const stream = await server.client.events(id);
    const frame = await stream.until('an output', (sent) => sent.event === 'output');
    const output = frame.data as unknown as Output;
    expect((await server.client.content(output.id)).status).toBeLessThan(400);
    expect((await server.client.jobNow(id)).outputs.map((known) => known.id)).toContain(output.id);
    await stream.all();
  });

  it('sends known events only, never log, each one JSON object on one data line (decisions, Events) [EV13] [EV14]', async () => {
    const { id } = await server.client.submitted({ ...textGraph('two\nlines\r\n\u2028 💡'), ...{} });
    const stream = await server.client.events(id);
    const frames = await stream.all();
    for (const frame of frames) {
      expect(EVENTS).toContain(frame.event);
      const lines = frame.raw.split('\n').filter((line) => !line.startsWith(':'));
      expect(lines.map((line) => line.split(':')[0])).toEqual(['event', 'data']);
      expect(frame.data).toBeTypeOf('object');
      expect(frame.raw).not.toMatch(/[\r\u2028]/);
    }
    expect(kinds(frames)).not.toContain('log');
  });

  it('has the documented fields in every payload (decisions, Events) [EV14]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(0.8));
    const frames = await (await server.client.events(id)).all();
    for (const data of of(frames, 'status')) expect(Object.keys(data).sort()).toEqual(['queue_position', 'status']);
    for (const data of of(frames, 'progress')) {
      expect(Object.keys(data).sort()).toEqual(
        ['current_node', 'current_node_class', 'message', 'nodes_done', 'nodes_total', 'step', 'steps', 'value'].sort(),
      );
    }
    server.client.document.checkSchema('Output', of(frames, 'output')[0]);
    server.client.document.checkSchema('Progress', of(frames, 'progress')[0]);
  });

  it('answers 404 in the envelope, no stream, for an unknown job (Errors, Other rules 1) [EV17]', async () => {
    const answer = await server.client.get(`/api/v2/jobs/${unknownId()}/events`, { accept: 'text/event-stream' });
    expectRefusal(answer, 404, 'not_found');
    sameBody(answer, await server.client.job(unknownId()));
  });

  it('reports to the stream of a waiting job that the job moved up in the queue (decisions, queue_position)', async () => {
    const release = await fillSlots(server);
    const ahead = await server.client.submitted(textGraph());
    const { id } = await server.client.submitted(textGraph());
    const stream = await server.client.events(id);
    await stream.until('the second place', (frame) => frame.data['queue_position'] === 2);
    await server.client.cancel(ahead.id);
    await stream.until('the first place', (frame) => frame.data['queue_position'] === 1);
    await release();
    await stream.all();
  });

  it('ends with canceled when the job is canceled under it [EV18]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    const stream = await server.client.events(id);
    await stream.until('running', (frame) => frame.data['status'] === 'running');
    await server.client.cancel(id);
    const frames = await stream.all();
    expect(frames.at(-1)).toMatchObject({ event: 'status', data: { status: 'canceled' } });
  });
});
