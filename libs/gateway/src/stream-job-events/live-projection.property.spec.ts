import fc from 'fast-check';
import { accepted, isEndedStatus, SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import type { Answer, JobId, JobsPort, JobStatus, JobView, LiveItem } from '@heddle/contracts-messages';
import { JobFeed } from '@heddle/platform-message-bus';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GatewaySettings } from '../settings.js';
import type { BufferedItems } from './buffered-items.js';
import { EventStream } from './event-stream.js';
import { CONTEXT, JOB_ID, previewItem, progressItem, storyOf } from './job-story.fixture.js';
import type { Story } from './job-story.fixture.js';
import { LiveBus } from './live-bus.js';
import { LiveProjection } from './live-projection.js';
import { RecordedSocket } from './recorded-socket.fake.js';

const settings = new GatewaySettings({
  uploadBytes: 1,
  uploadRequestBytes: 1,
  silenceMs: 2_000,
  stalledMs: 1e9,
  heartbeatMs: 1_000,
});
const LARGE_PREVIEW = 120_000;

/** A step in this process, in an order that only the test decides. */
type Step =
  | { readonly do: 'commit'; readonly delivered: 'now' | 'late' | 'twice' | 'never' }
  | { readonly do: 'deliver late' }
  | { readonly do: 'progress' | 'preview'; readonly fence: number; readonly sequence: number }
  | { readonly do: 'ask' | 'join' | 'answer' | 'stall' | 'drain' }
  | { readonly do: 'wait'; readonly ms: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('commit' as const),
        delivered: fc.constantFrom('now', 'now', 'late', 'twice', 'never'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('deliver late' as const) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constantFrom('progress', 'preview'),
        fence: fc.integer({ min: 1, max: 3 }),
        sequence: fc.integer({ min: 1, max: 9 }),
      }),
    },
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('ask', 'join', 'answer', 'stall', 'drain') }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 1_500 }) }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 80, size: 'max' },
);
const outline = fc.record({
  attempts: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom('succeeded', 'failed', 'canceled'),
});

/** The process under test: a projection on a real feed, with a jobs service whose answers wait for the test. */
class Process {
  readonly sockets: RecordedSocket[] = [];
  readonly #feed = new JobFeed<LiveItem>();
  readonly #projection: LiveProjection;
  readonly #answers: ((view: Answer<JobView>) => void)[] = [];
  readonly #asked: { readonly view: JobView; readonly buffered: BufferedItems }[] = [];
  readonly #late: LiveItem[] = [];
  #version = 1;

  constructor(readonly story: Story) {
    const get = (): Promise<Answer<JobView>> => new Promise((resolve) => this.#answers.push(resolve));
    const queuePositions = (): Promise<ReadonlyMap<JobId, number>> => Promise.resolve(new Map<JobId, number>());
    this.#projection = new LiveProjection(
      { get, queuePositions } as unknown as JobsPort,
      this.#feed,
      settings,
      new LiveBus(),
    );
    this.#projection.onModuleInit();
  }

  get view(): JobView {
    return this.story.views[this.#version]!;
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'commit':
        return this.#commit(step.delivered);
      case 'deliver late':
        return this.#late
          .splice(0)
          .reverse()
          .forEach((item) => this.#feed.publish(JOB_ID, item));
      case 'progress':
        return this.#live(step, (fence) => progressItem(fence, step.sequence, ((fence + step.sequence * 7) % 9) / 10));
      case 'preview':
        return this.#live(step, (fence) => previewItem(fence, step.sequence));
      case 'ask':
        this.#asked.push(this.#ask());
        return;
      case 'join':
        return this.#join();
      case 'answer':
        this.#answers.shift()?.(accepted(this.view));
        return this.#settle(0);
      case 'stall':
        for (const socket of this.sockets) socket.stalled = true;
        return;
      case 'drain':
        return this.sockets.forEach((socket) => socket.drain());
      case 'wait':
        return this.#settle(step.ms);
    }
  }

  /** Lets all work in progress finish, including the poll of silent jobs. */
  async finish(): Promise<void> {
    while (this.#version < this.story.messages.length) this.#commit('now');
    for (let round = 0; round < 8; round += 1) {
      for (const socket of this.sockets) socket.drain();
      for (const answer of this.#answers.splice(0)) answer(accepted(this.view));
      await this.#settle(1_000);
    }
    await this.#projection.beforeApplicationShutdown();
  }

  #commit(delivered: 'now' | 'late' | 'twice' | 'never'): void {
    const message = this.story.messages[this.#version];
    if (message === undefined) return;
    this.#version += 1;
    const item: LiveItem = { kind: 'job', message };
    if (delivered === 'late') this.#late.push(item);
    else if (delivered !== 'never') this.#feed.publish(JOB_ID, item);
    if (delivered === 'twice') this.#feed.publish(JOB_ID, item);
  }

  /** No worker reports under a lease that was never granted; one whose lease was lost still may. */
  #live({ fence }: { readonly fence: number }, item: (fence: number) => LiveItem): void {
    const given = Math.min(fence, this.view.fence);
    if (given > 0) this.#feed.publish(JOB_ID, item(given));
  }

  /** The view that a stream starts with was read some time before. */
  #join(): void {
    const { view, buffered } = this.#asked.shift() ?? this.#ask();
    const socket = new RecordedSocket();
    this.sockets.push(socket);
    this.#projection.join(SELF_HOSTED_PRINCIPAL, view, buffered, new EventStream(socket, CONTEXT));
  }

  #ask(): { readonly view: JobView; readonly buffered: BufferedItems } {
    return { buffered: this.#projection.listen(JOB_ID), view: this.view };
  }

  async #settle(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
  }
}

function expectGoodStream(socket: RecordedSocket, story: Story): void {
  const { frames } = socket;
  const last = story.views.at(-1)!;
  const statuses = socket.of('status').map((data) => data['status'] as JobStatus);
  // I12: status first, unless the job had ended: then its only status comes last.
  if (statuses.length > 1) expect(frames[0]?.event).toBe('status');
  // I11: in log order, one terminal status, which is the last frame.
  expect(frames.at(-1)).toEqual({ event: 'status', data: { status: last.status, queue_position: null } });
  expect(statuses.filter(isEndedStatus)).toHaveLength(1);
  expect(
    isSubsequence(
      statuses,
      story.views.slice(1).map(({ status }) => status),
    ),
  ).toBe(true);
  // Every output once, in commit order.
  expect(socket.of('output').map((data) => data['id'])).toEqual(last.outputs.map(({ assetId }) => assetId));
  // I13: progress never decreases, and the last snapshot is the one that GET shows.
  const values = socket.of('progress').map((data) => Number(data['value']));
  expect(values).toEqual([...values].sort((a, b) => a - b));
  const places = socket.of('progress').flatMap(({ message }) => (message === 'the end' ? [] : [String(message)]));
  // A stream that joins while a frame is held back gets the same twice.
  expect(places).toEqual([...places].sort());
  expect(socket.of('progress').at(-1)).toMatchObject({ message: last.progress?.message });
  expect(socket.destroyed).toBe(true);
  // A stalled reader is owed the newest of each kind, not a queue.
  expect(socket.maxUnsent).toBeLessThan(64 * 1024 + 2 * LARGE_PREVIEW);
}

/** Repetitions count once: a status is sent again with another queue position. */
function isSubsequence(told: readonly JobStatus[], all: readonly JobStatus[]): boolean {
  let at = 0;
  for (const status of told) {
    while (at < all.length && all[at] !== status) at += 1;
    if (at === all.length) return false;
  }
  return true;
}

describe('a stream, whatever the order of snapshots, events and progress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('tells the states in order, all outputs, rising progress, and the one terminal status last (I11, I12, I13)', async () => {
    console.info(`seed ${seed}`);
    await fc.assert(
      fc.asyncProperty(outline, steps, async (given, happening) => {
        const story = storyOf(given);
        const process = new Process(story);
        for (const step of happening) await process.take(step);
        await process.take({ do: 'join' });
        await process.finish();
        for (const socket of process.sockets) expectGoodStream(socket, story);
      }),
      { seed, numRuns: 400 },
    );
  });
});
