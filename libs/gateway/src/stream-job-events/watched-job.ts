import type { JobId, JobsPort, LiveItem, Principal } from '@heddle/contracts-messages';
import type { JobChannel } from './job-channel.js';
import type { LiveTelemetry } from './live-telemetry.js';

/** A job with open streams: its channel, its subscription, and the reads that recover what a subscription missed. */
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

  readonly #telemetry: LiveTelemetry;
  #traceparent: string | null = null;

  constructor(principal: Principal, channel: JobChannel, jobs: Pick<JobsPort, 'get'>, telemetry: LiveTelemetry) {
    this.id = channel.jobId;
    this.channel = channel;
    this.#principal = principal;
    this.#jobs = jobs;
    this.#telemetry = telemetry;
  }

  take(item: LiveItem): void {
    this.lastNews = performance.now();
    if (item.kind === 'job') this.#traceparent = item.traceparent ?? this.#traceparent;
    if (!this.#change(() => this.channel.take(item))) void this.read();
  }

  /** Reads the job. A request during a read may need later data: one more read follows for all of them. */
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

  /** The next read recovers from a failed one: the stream is never the source of truth. */
  async #readOnce(): Promise<void> {
    const answer = await this.#jobs.get(this.#principal, this.id).catch(() => null);
    this.lastNews = performance.now();
    if (answer === null) return;
    if (answer.ok) this.#change(() => this.channel.takeSnapshot(answer.value));
    // A read is refused for only one reason: the job's retention has ended.
    else for (const stream of this.channel.streams) stream.end();
  }

  /** Records the last frame if this change sent it. */
  #change<T>(change: () => T): T {
    const { isTerminal, streams } = this.channel;
    const watching = streams.size;
    const startMs = Date.now();
    const result = change();
    const { channel, id: jobId } = this;
    if (!isTerminal && channel.isTerminal) {
      const traceparent = this.#traceparent;
      this.#telemetry.lastFrame({ jobId, status: channel.status, streams: watching, traceparent, startMs });
    }
    return result;
  }
}
