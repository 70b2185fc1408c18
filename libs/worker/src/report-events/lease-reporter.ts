import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@heddle/contracts-messages';
import type {
  DurableReport,
  JobLease,
  JobProgress,
  ReportVerdict,
  VolatileReport,
  WorkerOutcome,
  WorkerReport,
  WorkSession,
} from '@heddle/contracts-messages';
import type { WorkerSettings } from '../settings.js';
import { ReportThrottle } from './throttle.js';

type Body<R extends WorkerReport> = R extends unknown ? Omit<R, 'jobId' | 'fence' | 'sequence'> : never;

/** A node's end and the next node's start share one progress report. Progress within a node is not delayed. */
const NEXT_NODE_MS = 20;

/**
 * No caller waits for a node's end: it is sent with the next output or the outcome, or after this time. The last
 * outputs wait for the outcome likewise. So a job of a few short nodes needs one commit.
 */
const BATCH_TIMEOUT_MS = 100;

/** Maximum durable reports per delivery; a job of thousands of small nodes sends several. */
const MAX_TOGETHER = 200;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

interface Preview {
  readonly nodeId: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/**
 * Reports the events of one lease. Durable reports keep their order and are repeated until the jobs service has stored
 * them. Progress and previews are throttled and may be lost.
 */
export class LeaseReporter {
  readonly #session: WorkSession;
  readonly #lease: JobLease;
  readonly #settings: WorkerSettings;
  readonly #progress: ReportThrottle<JobProgress>;
  readonly #preview: ReportThrottle<Preview>;
  readonly #abandoned = new AbortController();
  #durableSequence = 0;
  #volatileSequence = 0;
  #waiting: DurableReport[] = [];
  #delivery: Promise<void> | null = null;
  #batchTimer: NodeJS.Timeout | undefined;
  #ended = false;
  #ran = false;
  #refusal: ReportVerdict | null = null;

  constructor(session: WorkSession, lease: JobLease, settings: WorkerSettings) {
    this.#session = session;
    this.#lease = lease;
    this.#settings = settings;
    this.#progress = new ReportThrottle(
      settings.reportIntervalMs,
      (progress) => this.#show({ kind: 'progress', progress }),
      ({ step }) => (step === null ? NEXT_NODE_MS : 0),
    );
    this.#preview = new ReportThrottle(settings.reportIntervalMs, ({ nodeId, contentType, bytes }) =>
      this.#show({ kind: 'preview', nodeId, contentType, data: bytes }),
    );
  }

  /** Why the jobs service refused a report; null while it has stored all. */
  get refusal(): ReportVerdict | null {
    return this.#refusal;
  }

  /** The run starts. Resolves when that is stored, or the lease was abandoned. */
  async started(): Promise<void> {
    this.#enqueue({ kind: 'started' });
    await this.flush();
  }

  progress(progress: JobProgress): void {
    this.#progress.offer(progress);
  }

  preview(preview: Preview): void {
    if (preview.bytes.length <= this.#settings.maxPreviewBytes) this.#preview.offer(preview);
  }

  /** Queues a durable report behind the earlier ones; ignored after the outcome. */
  durable(body: Body<Exclude<DurableReport, { kind: 'outcome' }>>): void {
    // An output was still being stored when the run was interrupted: its asset is swept.
    if (!this.#ended) this.#enqueue(body);
  }

  /** The engine is done. Remaining reports are sent with the outcome, unless storing the outputs takes long. */
  ranToEnd(): void {
    this.#ran = true;
    this.#progress.postpone();
  }

  /** The last report of the lease; resolves when it and all earlier ones are stored, or the lease was abandoned. */
  async outcome(outcome: WorkerOutcome, progress: JobProgress): Promise<void> {
    this.#progress.close();
    // The outcome carries the last progress, but no preview.
    this.#preview.flush();
    this.#preview.close();
    this.#ended = true;
    this.#enqueue({ kind: 'outcome', outcome, progress });
    await this.flush();
  }

  /** Resolves when every durable report so far is stored. */
  async flush(): Promise<void> {
    this.#deliverNow();
    await this.#delivery;
  }

  /** The lease is lost: drop everything. */
  abandon(): void {
    this.#abandoned.abort();
    clearTimeout(this.#batchTimer);
    this.#progress.close();
    this.#preview.close();
  }

  #enqueue(body: Body<DurableReport>): void {
    const { jobId, fence } = this.#lease;
    this.#waiting.push({ jobId, fence, sequence: ++this.#durableSequence, ...body } as DurableReport);
    const waitsForBatch = body.kind === 'node_finished' || (this.#ran && body.kind !== 'outcome');
    if (waitsForBatch && this.#waiting.length < MAX_TOGETHER)
      this.#batchTimer ??= setTimeout(() => this.#deliverNow(), BATCH_TIMEOUT_MS);
    else this.#deliverNow();
  }

  #deliverNow(): void {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    if (this.#waiting.length > 0) this.#delivery ??= this.#deliverWaiting();
  }

  /** Reports that arrive during a delivery are sent together, so that jobs needs one commit, not one each. */
  async #deliverWaiting(): Promise<void> {
    // Reports of the same turn, such as a node's end and the run's, are sent together.
    await Promise.resolve();
    while (this.#waiting.length > 0 && !this.#abandoned.signal.aborted) {
      await this.#deliver(this.#waiting.splice(0, MAX_TOGETHER));
    }
    this.#delivery = null;
  }

  async #deliver(reports: readonly DurableReport[]): Promise<void> {
    const { signal } = this.#abandoned;
    const abandoned = new Promise<'abandoned'>((resolve) => {
      signal.addEventListener('abort', () => resolve('abandoned'), { once: true });
    });
    for (let failures = 0; !signal.aborted; failures += 1) {
      const verdicts = await Promise.race([this.#session.report(reports).catch(() => null), abandoned]);
      if (verdicts === 'abandoned') return;
      if (verdicts !== null) {
        this.#refusal ??= verdicts.find((verdict) => verdict !== 'stored') ?? null;
        return;
      }
      await delay(backoffMs(failures, FIRST_PAUSE_MS, MAX_PAUSE_MS), undefined, { signal }).catch(() => undefined);
    }
  }

  #show(body: Body<VolatileReport>): void {
    const { jobId, fence } = this.#lease;
    void this.#session.show({ jobId, fence, sequence: ++this.#volatileSequence, ...body } as VolatileReport);
  }
}
