import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { ApiError } from '../api/api-error.js';
import type { ApiClient } from '../api/api-client.js';
import { hasEnded, isRecord, readJob, readOutput, readProgress } from '../api/wire.js';
import type { WireJob } from '../api/wire.js';
import { CliFailure, EXIT, failed, unreachable } from '../failure.js';
import { FrameReader } from './frame-reader.js';
import { JobWatch } from './job-watch.js';
import type { JobObserver } from './job-watch.js';

interface FollowOptions {
  /** Stops following; the job continues. */
  readonly signal: AbortSignal;
  /** How long the service may be unreachable before following ends. */
  readonly patienceMs?: number;
}

const AWAY_TIMEOUT_MS = 120_000;
/** Poll interval with and without a live stream. */
const SLOW_POLL_MS = 10_000;
const FIRST_POLL_MS = 500;
const MAX_POLL_MS = 5_000;
/** The service sends a comment every 15 s; after three missing ones the connection is dead. */
const SILENCE_MS = 45_000;
const MAX_RECONNECT_MS = 5_000;

/**
 * Follows a job to its end and returns it as GET shows it. The event stream makes it fast, polling makes it reliable:
 * either alone is enough, and both may come and go (api-v2, Design rules 1 and 2).
 */
export async function followJob(
  client: ApiClient,
  job: WireJob,
  observer: JobObserver,
  options: FollowOptions,
): Promise<WireJob> {
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const followed = new Followed(client, job, observer, signal);
  try {
    const stream = followed.streamUntilEnd();
    stream.catch(() => undefined);
    return await Promise.race([
      followed.pollUntilEnd(options.patienceMs ?? AWAY_TIMEOUT_MS),
      neverUnlessItThrows(stream),
    ]);
  } finally {
    ended.abort();
  }
}

class Followed {
  private readonly watch: JobWatch;
  private live = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly client: ApiClient,
    private readonly job: WireJob,
    private readonly observer: JobObserver,
    private readonly signal: AbortSignal,
  ) {
    this.watch = new JobWatch(job.id, observer);
    this.watch.snapshot(job);
  }

  async pollUntilEnd(patienceMs: number): Promise<WireJob> {
    let current = this.job;
    let lastAnswerAt = Date.now();
    let isAway = false;
    for (let wait = FIRST_POLL_MS; !hasEnded(current.status); wait = Math.min(MAX_POLL_MS, wait * 1.5)) {
      await this.sleepOrWake(this.live ? SLOW_POLL_MS : wait);
      try {
        current = await this.get();
        lastAnswerAt = Date.now();
        if (isAway) this.observer.away?.((isAway = false));
        this.watch.snapshot(current);
      } catch (error) {
        const after = retryAfter(error);
        if (after === null) throw error;
        if (Date.now() - lastAnswerAt > patienceMs) throw this.lost(error);
        if (!isAway && isUnreachable(error)) this.observer.away?.((isAway = true));
        await delay(after, undefined, { signal: this.signal });
      }
    }
    return current;
  }

  async streamUntilEnd(): Promise<void> {
    if (hasEnded(this.job.status)) return;
    for (let wait = 100; ; wait = Math.min(MAX_RECONNECT_MS, wait * 2)) {
      try {
        if (await this.readStream()) return;
        wait = 100;
      } catch (error) {
        if (this.signal.aborted) return;
        // Polling reports everything that matters; the stream is just retried.
        if (error instanceof ApiError && (error.status === 404 || error.status === 401)) return;
        wait = Math.max(wait, error instanceof ApiError ? (error.retryAfterSeconds ?? 1) * 1000 : 0);
      } finally {
        this.setLive(false);
      }
      await delay(wait, undefined, { signal: this.signal }).catch(() => undefined);
      if (this.signal.aborted) return;
    }
  }

  /** True once the terminal status arrived: nothing follows it. */
  private async readStream(): Promise<boolean> {
    const link = this.job.urls.events ?? `/api/v2/jobs/${this.job.id}/events`;
    const headers = { accept: 'text/event-stream' };
    const answer = await this.client.stream(link, { headers, signal: this.signal, bodyTimeoutMs: SILENCE_MS });
    const reader = new FrameReader();
    const decoder = new TextDecoder();
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      this.setLive(true);
      for (const frame of reader.push(decoder.decode(chunk, { stream: true }))) {
        if (!this.seeFrame(frame.event, frame.data)) continue;
        this.wake();
        return true;
      }
    }
    this.wake();
    return false;
  }

  private seeFrame(event: string, data: string): boolean {
    const body = parse(data);
    if (!isRecord(body)) return false;
    if (event === 'output') {
      const output = readOutput(body);
      if (output !== null) this.watch.seeOutput(output);
    }
    if (event === 'progress') {
      const progress = readProgress(body);
      if (progress !== null) this.watch.seeProgress(progress);
    }
    if (event !== 'status' || typeof body['status'] !== 'string') return false;
    if (hasEnded(body['status'])) return true;
    const position = body['queue_position'];
    this.watch.seeStatus(body['status'], typeof position === 'number' ? position : null);
    return false;
  }

  private async get(): Promise<WireJob> {
    const answer = await this.client.json('GET', this.job.urls.self ?? `/api/v2/jobs/${this.job.id}`, {
      signal: this.signal,
    });
    const job = readJob(answer.body);
    if (job === null) throw failed('the service answered without a job; check --url');
    return job;
  }

  private async sleepOrWake(milliseconds: number): Promise<void> {
    const woken = new Promise<void>((done) => (this.wake = done));
    const slept = new AbortController();
    const signal = AbortSignal.any([this.signal, slept.signal]);
    await Promise.race([woken, delay(milliseconds, undefined, { signal })]).finally(() => slept.abort());
  }

  private setLive(live: boolean): void {
    if (live === this.live) return;
    this.live = live;
    this.observer.connection?.(live);
  }

  private lost(error: unknown): CliFailure {
    const reason = errorMessage(error);
    return unreachable(
      `the service has not answered for a while (${reason})`,
      `the job may still run: heddle watch ${this.job.id}`,
    );
  }
}

/** Milliseconds until a retry makes sense; null if it does not. */
function retryAfter(error: unknown): number | null {
  if (error instanceof ApiError)
    return error.status === 429 || error.status >= 500 ? (error.retryAfterSeconds ?? 1) * 1000 : null;
  return isUnreachable(error) ? 500 : null;
}

function isUnreachable(error: unknown): boolean {
  return error instanceof CliFailure && error.exitCode === EXIT.unreachable;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

function neverUnlessItThrows(promise: Promise<void>): Promise<never> {
  return promise.then(() => new Promise<never>(() => undefined));
}
