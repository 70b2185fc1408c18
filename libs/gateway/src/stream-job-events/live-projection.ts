import { JOBS_PORT } from '@heddle/contracts-messages';
import type {
  JobId,
  JobMessage,
  JobsPort,
  JobView,
  LiveItem,
  Principal,
  WorkerEvent,
} from '@heddle/contracts-messages';
import { JobFeed } from '@heddle/platform-message-bus';
import type { BusMessage } from '@heddle/platform-message-bus';
import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { GatewaySettings } from '../settings.js';
import { BufferedItems } from './buffered-items.js';
import type { EventStream } from './event-stream.js';
import { LastPreviews } from './last-previews.js';
import { LastProgress } from './last-progress.js';
import { LiveBus } from './live-bus.js';
import { JobChannel } from './job-channel.js';
import { WatchedJob } from './watched-job.js';

const TICK_MS = 1_000;
/** Poll interval of watched jobs without the bus. */
const BUS_AWAY_MS = 1_000;
/** Streams that end within this time of one another end together. */
const END_PAUSE_MS = 20;

/**
 * The live path of this process: one channel per watched job, fed by committed job events and by workers' progress.
 * Memory grows with open streams, never with traffic. Whatever is missed (a gap in the versions, silence) is recovered
 * by reading the job again, once for all its watchers.
 */
@Injectable()
export class LiveProjection implements OnModuleInit, BeforeApplicationShutdown {
  readonly #watched = new Map<JobId, WatchedJob>();
  readonly #previews: LastPreviews;
  readonly #progress = new LastProgress();
  /** For streams: a frame that its reader was too slow for. */
  readonly onSkipped = (kind: string): void => this.bus.telemetry.skipped(kind);
  readonly #tickMs: number;
  #tick: NodeJS.Timeout | null = null;
  #ticks = 0;
  #readingPositions = false;
  #stopping = false;

  constructor(
    @Inject(JOBS_PORT) private readonly jobs: JobsPort,
    private readonly feed: JobFeed<LiveItem>,
    private readonly settings: GatewaySettings,
    private readonly bus: LiveBus,
  ) {
    this.#previews = new LastPreviews(settings.previewBytes);
    this.#tickMs = Math.min(TICK_MS, settings.heartbeatMs);
  }

  onModuleInit(): void {
    this.#tick = setInterval(() => this.#onTick(), this.#tickMs);
    this.#tick.unref();
  }

  /**
   * Ends the open streams one after the other: their clients do not all reconnect to another process at the same moment.
   * A stream that comes meanwhile gets its snapshot and ends.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping = true;
    const streams = [...this.#watched.values()].flatMap(({ channel }) => [...channel.streams]);
    const began = performance.now();
    for (const [place, stream] of streams.entries()) {
      const due = began + (place / streams.length) * this.settings.streamsDrainMs;
      const pauseMs = due - performance.now();
      if (pauseMs >= END_PAUSE_MS) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      stream.stop();
    }
    if (this.#tick !== null) clearInterval(this.#tick);
    for (const job of [...this.#watched.values()]) this.#unwatch(job);
  }

  /** Call it before reading the job for `join`, and end it if the stream does not join. */
  listen(jobId: JobId): BufferedItems {
    return new BufferedItems(this.feed, jobId);
  }

  /** Sends the stream the current state, then updates; `buffered` was listening before the view was read. */
  join(principal: Principal, view: JobView, buffered: BufferedItems, stream: EventStream): void {
    const since = buffered.end();
    const known = this.#watched.get(view.id);
    if (known !== undefined) known.channel.takeSnapshot(view);
    const job = known ?? this.#watch(principal, view);
    // A watched job has received all this through its own subscription, and applies it once.
    for (const item of since) job.take(item);
    const last = this.#progress.get(view.id);
    // Progress of a lost attempt is not shown for a job that is queued again.
    if (last !== null && view.status !== 'queued') job.take(last);
    if (buffered.missed) void job.read();
    this.#joinTo(job, stream);
  }

  leave(jobId: JobId, stream: EventStream): void {
    const job = this.#watched.get(jobId);
    if (job === undefined) return;
    job.channel.streams.delete(stream);
    this.#forgetIfUnwatched(job);
  }

  /** Committed job events from the bus. */
  receiveJobEvents(batch: readonly BusMessage<JobMessage>[]): void {
    for (const { payload, headers } of batch) {
      this.bus.telemetry.arrived(payload);
      const traceparent = headers['traceparent'] ?? null;
      this.feed.publish(payload.jobId, { kind: 'job', message: payload, traceparent });
    }
  }

  /**
   * Progress and previews as workers report them; everything else reaches streams as a committed job event. Leftovers
   * of an ended job are not shown, and are evicted.
   */
  receiveWorkerEvents(events: readonly WorkerEvent[]): void {
    for (const event of events) {
      const { jobId, fence, sequence } = event;
      if (event.kind === 'progress') {
        const item = { kind: 'progress', fence, sequence, progress: event.progress } as const;
        this.#progress.keep(jobId, item);
        this.feed.publish(jobId, item);
      } else {
        const { nodeId, contentType, dataBase64 } = event;
        this.#previews.keep(jobId, { nodeId, contentType, dataBase64, fence, sequence });
        this.feed.publish(jobId, { kind: 'preview', fence, sequence, nodeId, contentType, dataBase64 });
      }
    }
  }

  #watch(principal: Principal, view: JobView): WatchedJob {
    const job = new WatchedJob(
      principal,
      new JobChannel(view, this.#previews.get(view.id)),
      this.jobs,
      this.bus.telemetry,
    );
    if (job.channel.isTerminal) return job;
    job.unsubscribe = this.feed.subscribe(view.id, (item) => {
      job.take(item);
      this.#forgetIfUnwatched(job);
    });
    this.#watched.set(view.id, job);
    return job;
  }

  #joinTo(job: WatchedJob, stream: EventStream): void {
    stream.socket.on('drain', () => {
      job.channel.resume(stream);
      this.#forgetIfUnwatched(job);
    });
    job.channel.join(stream);
    if (this.#stopping) stream.stop();
    this.#forgetIfUnwatched(job);
  }

  #forgetIfUnwatched(job: WatchedJob): void {
    if (job.channel.streams.size === 0) this.#unwatch(job);
  }

  #unwatch(job: WatchedJob): void {
    job.stop();
    if (this.#watched.get(job.id) === job) this.#watched.delete(job.id);
  }

  /** One timer for all: heartbeats, stalled readers, silent jobs, queue positions. */
  #onTick(): void {
    this.#ticks += 1;
    const now = performance.now();
    const turns = Math.max(1, Math.round(this.settings.heartbeatMs / this.#tickMs));
    const silenceMs = this.bus.isAway() ? Math.min(BUS_AWAY_MS, this.settings.silenceMs) : this.settings.silenceMs;
    let place = 0;
    for (const job of this.#watched.values()) {
      for (const stream of job.channel.streams) {
        place += 1;
        if (stream.stalledFor(now) > this.settings.stalledMs) {
          this.bus.telemetry.cut();
          stream.socket.destroy();
        } else if (place % turns === this.#ticks % turns) stream.heartbeat();
      }
      if (job.channel.hasHole || now - job.lastNews > silenceMs) void job.read();
      this.#forgetIfUnwatched(job);
    }
    const positionTurns = Math.max(1, Math.round(this.settings.queuePositionMs / this.#tickMs));
    if (this.#ticks % positionTurns === 0) void this.#updatePositions();
  }

  /** One query for all waiting jobs; its answer counts as an update of each. */
  async #updatePositions(): Promise<void> {
    const queued = [...this.#watched.values()].filter(({ channel }) => channel.status === 'queued');
    if (queued.length === 0 || this.#readingPositions) return;
    this.#readingPositions = true;
    const positions = await this.jobs.queuePositions(queued.map(({ id }) => id)).catch(() => null);
    this.#readingPositions = false;
    if (positions === null) return;
    const now = performance.now();
    for (const job of queued) {
      const position = positions.get(job.id);
      if (position === undefined) continue;
      job.lastNews = now;
      job.channel.setQueuePosition(position);
    }
  }
}
