import { accepted, refuse, rejected, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { Answer, JobId, JobsPort, JobView, LiveItem, WorkerEvent } from '@heddle/contracts-messages';
import { JobFeed } from '@heddle/platform-message-bus';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GatewaySettings } from '../settings.js';
import { EventStream } from './event-stream.js';
import { CONTEXT, JOB_ID, previewItem, progress, progressItem, storyOf, viewOf } from './job-story.fixture.js';
import { LiveBus } from './live-bus.js';
import { LiveProjection } from './live-projection.js';
import { RecordedSocket } from './recorded-socket.fake.js';

const story = storyOf({ attempts: [2], end: 'succeeded' });
const [, queued, running] = story.views as [undefined, JobView, JobView];
const outputs = story.views.at(-1)!.outputs.length;

/** A jobs service that answers at once as the test decides. */
class ScriptedJobs {
  answer: Answer<JobView> = accepted(queued);
  reads = 0;
  positions = new Map<JobId, number>();
  positionsAsked: (readonly JobId[])[] = [];

  get(): Promise<Answer<JobView>> {
    this.reads += 1;
    return Promise.resolve(this.answer);
  }

  queuePositions(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, number>> {
    this.positionsAsked.push(jobIds);
    return Promise.resolve(this.positions);
  }
}

describe('the live projection', () => {
  const feed = new JobFeed<LiveItem>();
  let jobs: ScriptedJobs;
  let projection: LiveProjection;
  beforeEach(() => {
    vi.useFakeTimers();
    jobs = new ScriptedJobs();
    const settings = new GatewaySettings({ uploadBytes: 1, uploadRequestBytes: 1, stalledMs: 30_000 });
    projection = new LiveProjection(jobs as unknown as JobsPort, feed, settings, new LiveBus());
    projection.onModuleInit();
  });
  afterEach(async () => {
    const stopped = projection.beforeApplicationShutdown();
    await vi.advanceTimersByTimeAsync(2_000);
    await stopped;
    vi.useRealTimers();
  });

  const join = (view: JobView = queued, buffered = projection.listen(JOB_ID)): RecordedSocket => {
    const socket = new RecordedSocket();
    const stream = new EventStream(socket, CONTEXT);
    projection.join(SELF_HOSTED_PRINCIPAL, view, buffered, stream);
    return socket;
  };
  const publish = (...items: LiveItem[]): void => items.forEach((item) => feed.publish(JOB_ID, item));
  const event = (version: number): LiveItem => ({ kind: 'job', message: story.messages[version - 1]! });
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
  const statuses = (socket: RecordedSocket): unknown[] => socket.of('status').map((data) => data['status']);

  it('misses nothing since the view that a stream begins with was asked for, and reads no second one', async () => {
    const buffered = projection.listen(JOB_ID);
    publish(event(2), progressItem(1, 1, 0.1), previewItem(1, 1), progressItem(1, 2, 0.2), event(3));
    const socket = join(queued, buffered);
    await pass(0);
    expect(statuses(socket)).toEqual(['running']);
    expect(socket.of('progress')).toMatchObject([{ value: 0.2 }]);
    expect(socket.of('preview')).toHaveLength(1);
    expect(socket.of('output')).toHaveLength(1);
    publish(event(4), event(5));
    expect(socket.frames.at(-1)).toMatchObject({ event: 'status', data: { status: 'succeeded' } });
    expect(jobs.reads).toBe(0);
    expect(feed.watchedJobs).toBe(0);
  });

  it('reads the job again where more happened meanwhile than is kept', async () => {
    const long = storyOf({ attempts: [40], end: 'succeeded' });
    const buffered = projection.listen(JOB_ID);
    publish(...long.messages.map((message): LiveItem => ({ kind: 'job', message })));
    jobs.answer = accepted(long.views.at(-1)!);
    const socket = join(long.views[1], buffered);
    await pass(0);
    expect(jobs.reads).toBe(1);
    expect(socket.of('output')).toHaveLength(40);
    expect(socket.frames.at(-1)).toMatchObject({ event: 'status', data: { status: 'succeeded' } });
  });

  it('listens to nothing for a stream that is not opened', () => {
    projection.listen(JOB_ID).end();
    expect(feed.watchedJobs).toBe(0);
  });

  it('reads the job when an event is missing, and then the events after it', async () => {
    const socket = join(queued);
    await pass(0);
    jobs.answer = accepted(story.views[3]!);
    publish(event(3), event(4));
    await pass(0);
    expect(statuses(socket)).toEqual(['queued', 'running']);
    jobs.answer = accepted(story.views[4]!);
    await pass(1_000);
    expect(socket.of('output')).toHaveLength(outputs);
  });

  it('reads a silent job once for all its viewers, and one that waits not at all while its place is known', async () => {
    jobs.answer = accepted(running);
    join(running);
    join(running);
    await pass(0);
    expect(jobs.reads).toBe(0);
    await pass(16_500);
    expect(jobs.reads).toBe(1);
    jobs.answer = accepted(story.views.at(-1)!);
    await pass(16_500);
    expect(feed.watched(JOB_ID)).toBe(false);
    jobs = Object.assign(jobs, { reads: 0, answer: accepted(queued), positions: new Map([[JOB_ID, 1]]) });
    join(queued);
    await pass(60_000);
    expect(jobs.reads).toBe(0);
  });

  it('ends a stream without a terminal status when the job has passed its retention', async () => {
    const socket = join(running);
    jobs.answer = rejected(refuse('not_found', { case: 'resource' }));
    await pass(16_500);
    expect(socket.destroyed).toBe(true);
    expect(statuses(socket)).toEqual(['running']);
  });

  it('asks for the places of all jobs that wait at once, and tells a stream only of a change', async () => {
    jobs.positions = new Map([[JOB_ID, 3]]);
    const socket = join(queued);
    await pass(8_100);
    expect(jobs.positionsAsked).toHaveLength(4);
    expect(socket.of('status').map((data) => data['queue_position'])).toEqual([1, 3]);
  });

  it('tells at most two progress frames a second, the first at once and the last before the end', async () => {
    const socket = join(running);
    jobs.answer = accepted(running);
    const before = socket.of('progress').length;
    for (let n = 1; n <= 100; n += 1) {
      publish(progressItem(1, n, n / 200));
      await pass(20);
    }
    expect(socket.of('progress').length - before).toBeLessThanOrEqual(5);
    publish(progressItem(1, 101, 0.77), event(3), event(4), event(5));
    expect(socket.of('progress').at(-1)).toMatchObject({ value: 1, message: 'the end' });
    expect(socket.frames.at(-1)).toMatchObject({ event: 'status', data: { status: 'succeeded' } });
  });

  it('drops what an older lease reports, and everything after the end', async () => {
    const socket = join(viewOf({ version: 2, fence: 3, status: 'running' }));
    publish(progressItem(2, 99, 0.9), previewItem(1, 99));
    await pass(1_000);
    expect(socket.frames.map(({ event: name }) => name)).toEqual(['status']);
  });

  it('shows a stream that comes later the last preview, until the job is over', async () => {
    const reported = { jobId: JOB_ID, ...SELF_HOSTED_PRINCIPAL, workerId: 'w', fence: 1, sequence: 4 };
    const preview = { ...reported, kind: 'preview', nodeId: '7', contentType: 'image/png', dataBase64: 'AA==' };
    projection.receiveWorkerEvents([preview as WorkerEvent]);
    expect(join(running).of('preview')).toEqual([{ node_id: '7', content_type: 'image/png', data_base64: 'AA==' }]);
    expect(join(story.views.at(-1)!).of('preview')).toEqual([]);
  });

  it('begins with progress that was told before and is not stored yet, and never with that of a lost attempt', async () => {
    const reported = { jobId: JOB_ID, ...SELF_HOSTED_PRINCIPAL, workerId: 'w', fence: 1 };
    const report = (sequence: number, value: number): WorkerEvent =>
      ({ ...reported, sequence, kind: 'progress', progress: progress(value, `${sequence}`) }) as WorkerEvent;
    projection.receiveWorkerEvents([report(4, 0.4), report(3, 0.3)]);
    const view = viewOf({ version: 2, fence: 1, status: 'running' });
    expect(join(view).of('progress')).toMatchObject([{ value: 0.4 }]);
    expect(join(viewOf({ version: 4, fence: 2, status: 'running' })).of('progress')).toHaveLength(1);
    const stopped = projection.beforeApplicationShutdown();
    await pass(2_000);
    await stopped;
    expect(join(viewOf({ version: 3, fence: 1, status: 'queued' })).of('progress')).toEqual([]);
  });

  it('begins a job that is over with progress and outputs, and tells its one status last', () => {
    const { frames } = join(story.views.at(-1)!);
    expect(frames.map(({ event: name }) => name)).toEqual(['progress', 'output', 'output', 'status']);
    expect(feed.watched(JOB_ID)).toBe(false);
  });

  it('keeps bounded bytes for a reader that stalls, holds nobody else up, and owes it the newest', async () => {
    const slow = join(running);
    const quick = join(running);
    slow.stalled = true;
    for (let n = 1; n <= 60; n += 1) {
      publish(previewItem(1, n * 3));
      await pass(500);
    }
    publish(event(3), event(4), event(5));
    expect(quick.of('preview')).toHaveLength(60);
    expect(slow.writableLength).toBeLessThan(64 * 1024 + 120_000);
    expect(statuses(slow)).toEqual(['running']);
    slow.drain();
    expect(slow.of('output')).toHaveLength(outputs);
    expect(slow.of('progress').at(-1)).toMatchObject({ value: 1 });
    expect(slow.frames.at(-1)).toMatchObject({ event: 'status', data: { status: 'succeeded' } });
  });

  it('cuts off a reader that takes nothing for 30 seconds', async () => {
    const slow = join(running);
    slow.stalled = true;
    publish(previewItem(1, 3));
    await pass(29_000);
    expect(slow.destroyed).toBe(false);
    await pass(3_000);
    expect(slow.destroyed).toBe(true);
  });

  it('sends a comment to each stream within every 15 seconds', async () => {
    const sockets = Array.from({ length: 40 }, () => join(running));
    const written = sockets.map((socket) => vi.spyOn(socket, 'write'));
    await pass(16_000);
    for (const write of written) expect(write.mock.calls.map(([bytes]) => String(bytes))).toContain(': hb\n\n');
  });

  it('ends its streams when the service stops, without a terminal status', async () => {
    const sockets = Array.from({ length: 250 }, () => join(running));
    const stopped = projection.beforeApplicationShutdown();
    const ended = (): number => sockets.filter(({ destroyed }) => destroyed).length;
    await pass(1_000);
    // The first half of the time.
    expect(ended() / sockets.length).toBeCloseTo(0.5, 1);
    await pass(1_000);
    await stopped;
    expect(ended()).toBe(sockets.length);
    expect(statuses(sockets[0]!)).toEqual(['running']);
  });

  it('tells each of them that it stops, and another time to come back between half a second and three', async () => {
    const sockets = Array.from({ length: 100 }, () => join(running));
    const stopped = projection.beforeApplicationShutdown();
    const late = join(running);
    await pass(2_000);
    await stopped;
    const retries = [...sockets, late].map(({ text }) => Number(/\n\n: stopping\nretry: (\d+)\n\n$/.exec(text)?.[1]));
    expect(Math.min(...retries)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...retries)).toBeLessThanOrEqual(3_000);
    expect(new Set(retries).size).toBeGreaterThan(50);
    expect(late.destroyed).toBe(true);
  });

  it('sends updates until a stream ends', async () => {
    const [, second] = [join(running), join(running)];
    const stopped = projection.beforeApplicationShutdown();
    await pass(500);
    publish(event(3));
    expect(second.of('output').length + second.of('progress').length).toBeGreaterThan(0);
    await pass(1_500);
    await stopped;
  });

  it('keeps nothing of a job whose last stream went away', async () => {
    const stream = new EventStream(new RecordedSocket(), CONTEXT);
    projection.join(SELF_HOSTED_PRINCIPAL, queued, projection.listen(JOB_ID), stream);
    publish(progressItem(1, 1, progress(0.1, 'x').value));
    expect(feed.watched(JOB_ID)).toBe(true);
    projection.leave(JOB_ID, stream);
    expect(feed.watchedJobs).toBe(0);
    await pass(5_000);
    expect(jobs.positionsAsked).toEqual([]);
  });
});
