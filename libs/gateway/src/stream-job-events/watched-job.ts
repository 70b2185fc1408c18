import type { JobId, JobsPort, JobView, LiveItem, Principal } from '@heddle/contracts-messages';
import { JobChannel } from './job-channel.js';
import type { PlacedPreview } from './job-channel.js';
import type { LiveWatch } from './live-watch.js';

/** A job with open streams: its channel, its subscription, and the readings that make good what a subscription missed. */
export class WatchedJob {
  readonly id: JobId;
  readonly channel: JobChannel;
  unsubscribe: (() => void) | null = null;
  /** On the clock of `performance.now`. */
  lastNews = performance.now();
  readonly #principal: Principal;
  readonly #jobs: Pick<JobsPort, 'get'>;
  #reading = false;
  #readAgain = false;

  readonly #watch: LiveWatch;
  #traceparent: string | null = null;

  constructor(
    principal: Principal,
    view: JobView,
    preview: PlacedPreview | null,
    jobs: Pick<JobsPort, 'get'>,
    watch: LiveWatch,
  ) {
    this.id = view.id;
    this.#principal = principal;
    this.#jobs = jobs;
    this.#watch = watch;
    this.channel = new JobChannel(view, preview);
  }

  take(item: LiveItem): void {
    this.lastNews = performance.now();
    if (item.kind === 'job') this.#traceparent = item.traceparent ?? this.#traceparent;
    if (!this.#change(() => this.channel.take(item))) void this.read();
  }

  /** Reads the job. Who asks while a reading is under way may need what came after it: one more follows, for all of them. */
  async read(): Promise<void> {
    if (this.#reading) {
      this.#readAgain = true;
      return;
    }
    this.#reading = true;
    do {
      this.#readAgain = false;
      await this.#readOnce();
    } while (this.#readAgain && this.unsubscribe !== null);
    this.#reading = false;
  }

  stop(): void {
    this.unsubscribe?.();
    this.unsubscribe = null;
    this.channel.stop();
  }

  /** A failed reading is made good by the next one: the stream is never the source of truth. */
  async #readOnce(): Promise<void> {
    const answer = await this.#jobs.get(this.#principal, this.id).catch(() => null);
    this.lastNews = performance.now();
    if (answer === null) return;
    if (answer.ok) this.#change(() => this.channel.takeSnapshot(answer.value));
    // A read is refused for one reason: the retention of the job has passed.
    else for (const stream of this.channel.streams) stream.end();
  }

  /** Tells of the last frame where this change sent it. */
  #change<T>(change: () => T): T {
    const { isTerminal, streams } = this.channel;
    const watching = streams.size;
    const startMs = Date.now();
    const result = change();
    const { channel, id: jobId } = this;
    if (!isTerminal && channel.isTerminal) {
      const traceparent = this.#traceparent;
      this.#watch.lastFrame({ jobId, status: channel.status, streams: watching, traceparent, startMs });
    }
    return result;
  }
}
