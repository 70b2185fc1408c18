import { isTerminalStatus, JOBS_PORT } from '@heddle/contracts-messages';
import type { JobId, JobsPort, JobView, LiveItem, Principal, WorkerEvent } from '@heddle/contracts-messages';
import { JobFeed } from '@heddle/platform-message-bus';
import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { GatewaySettings } from '../gateway-settings.js';
import type { EventStream } from './event-stream.js';
import { JobChannel } from './job-channel.js';
import { LastPreviews } from './last-previews.js';

interface Watched {
  readonly channel: JobChannel;
  readonly principal: Principal;
  readonly unsubscribe: () => void;
  lastNews: number;
  reading: Promise<void> | null;
  /** Streams that read their snapshot right now: the channel stays while there are any. */
  joining: number;
}

const TICK_MS = 1_000;

/**
 * The live path of this process: one channel per watched job, fed by committed job events and by workers' progress.
 * Memory grows with open streams, never with traffic. Whatever may be missed on the way (a hole in the versions, silence)
 * is made good by reading the job again, once for all its watchers.
 */
@Injectable()
export class LiveProjection implements OnModuleInit, BeforeApplicationShutdown {
  readonly #watched = new Map<JobId, Watched>();
  readonly #previews: LastPreviews;
  #tick: NodeJS.Timeout | null = null;
  #ticks = 0;
  #positionsRead: Promise<void> = Promise.resolve();

  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly feed: JobFeed<LiveItem>,
    private readonly settings: GatewaySettings,
  ) {
    this.#previews = new LastPreviews(settings.previewBytes);
  }

  onModuleInit(): void {
    this.#tick = setInterval(() => this.#onTick(), Math.min(TICK_MS, this.settings.heartbeatMs));
    this.#tick.unref();
  }

  /** Ends the open streams; their clients come back to another process, or poll. */
  beforeApplicationShutdown(): void {
    if (this.#tick !== null) clearInterval(this.#tick);
    for (const { channel, unsubscribe } of this.#watched.values()) {
      unsubscribe();
      for (const stream of channel.streams) stream.end();
    }
    this.#watched.clear();
  }

  /** Subscribes first and reads the job second, so that nothing between the two is lost; then the stream joins. */
  async join(principal: Principal, view: JobView, stream: EventStream): Promise<void> {
    const watched = this.#watch(principal, view);
    watched.joining += 1;
    try {
      // `view` was read before the subscription: what happened since shows in a second reading.
      await this.#read(view.id, watched);
      if (stream.isOver) return;
      stream.socket.on('drain', () => watched.channel.resume(stream));
      watched.channel.join(stream);
    } finally {
      watched.joining -= 1;
      this.#forgetIfUnwatched(view.id, watched);
    }
  }

  leave(jobId: JobId, stream: EventStream): void {
    const watched = this.#watched.get(jobId);
    if (watched === undefined) return;
    watched.channel.streams.delete(stream);
    this.#forgetIfUnwatched(jobId, watched);
  }

  /** Progress and previews as workers report them; everything else reaches streams as a committed job event. */
  receiveWorkerEvents(events: readonly WorkerEvent[]): void {
    for (const event of events) {
      const { jobId, fence, sequence } = event;
      if (event.kind === 'progress') {
        this.feed.publish(jobId, { kind: 'progress', fence, sequence, progress: event.progress });
      } else if (event.kind === 'preview') {
        const { nodeId, contentType, dataBase64 } = event;
        this.#previews.keep(jobId, { nodeId, contentType, dataBase64, fence, sequence });
        this.feed.publish(jobId, { kind: 'preview', fence, sequence, nodeId, contentType, dataBase64 });
      } else if (event.kind === 'outcome') {
        this.#previews.forget(jobId);
      }
    }
  }

  #watch(principal: Principal, view: JobView): Watched {
    const known = this.#watched.get(view.id);
    if (known !== undefined) return known;
    const channel = new JobChannel(view.id, isTerminalStatus(view.status) ? null : this.#previews.get(view.id));
    const unsubscribe = this.feed.subscribe(view.id, (item) => {
      watched.lastNews = performance.now();
      if (!channel.take(item)) void this.#read(view.id, watched);
      this.#forgetIfUnwatched(view.id, watched);
    });
    const watched: Watched = { channel, principal, unsubscribe, lastNews: 0, reading: null, joining: 0 };
    this.#watched.set(view.id, watched);
    return watched;
  }

  /** Reads the job; readers that come while one is under way wait for the next, since theirs may be too old. */
  async #read(jobId: JobId, watched: Watched): Promise<void> {
    const before = watched.reading ?? Promise.resolve();
    const reading = before.then(async () => {
      const answer = await this.jobs.get(watched.principal, jobId);
      watched.lastNews = performance.now();
      if (answer.ok) watched.channel.takeSnapshot(answer.value);
      else if (answer.rejection.code === 'not_found') for (const stream of watched.channel.streams) stream.end();
    });
    // A failed reading is made good by the next one; the stream is never the source of truth.
    const settled = reading.catch(() => undefined);
    watched.reading = settled;
    await settled;
    if (watched.reading === settled) watched.reading = null;
  }

  #forgetIfUnwatched(jobId: JobId, watched: Watched): void {
    if (watched.joining > 0 || watched.channel.streams.size > 0 || this.#watched.get(jobId) !== watched) return;
    watched.unsubscribe();
    this.#watched.delete(jobId);
  }

  /** One timer for everything: heartbeats, stalled readers, silent jobs, queue positions. */
  #onTick(): void {
    this.#ticks += 1;
    const now = performance.now();
    const tickMs = Math.min(TICK_MS, this.settings.heartbeatMs);
    const turns = Math.max(1, Math.round(this.settings.heartbeatMs / tickMs));
    let place = 0;
    for (const [jobId, watched] of this.#watched) {
      for (const stream of watched.channel.streams) {
        place += 1;
        if (stream.stalledFor(now) > this.settings.stalledMs) stream.socket.destroy();
        else if (place % turns === this.#ticks % turns) stream.heartbeat();
      }
      if (now - watched.lastNews > this.settings.heartbeatMs && watched.reading === null)
        void this.#read(jobId, watched);
    }
    const positionTurns = Math.max(1, Math.round(this.settings.queuePositionMs / tickMs));
    if (this.#ticks % positionTurns === 0) this.#positionsRead = this.#positionsRead.then(() => this.#tellPositions());
  }

  async #tellPositions(): Promise<void> {
    const queued = [...this.#watched].filter(([, { channel }]) => channel.status === 'queued').map(([jobId]) => jobId);
    if (queued.length === 0) return;
    const positions = await this.jobs.queuePositions(queued).catch(() => null);
    if (positions === null) return;
    for (const jobId of queued) {
      const position = positions.get(jobId);
      if (position !== undefined) this.#watched.get(jobId)?.channel.setQueuePosition(position);
    }
  }
}
