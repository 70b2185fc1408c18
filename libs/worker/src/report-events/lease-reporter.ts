import type {
  DurableWorkerEvent,
  JobLease,
  JobProgress,
  LeasesPort,
  VolatileWorkerEvent,
  WorkerEvent,
  WorkerOutcome,
} from '@heddle/contracts-messages';
import { WORKER_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { MessageBus } from '@heddle/platform-message-bus';
import type { WorkerSettings } from '../worker-settings.js';
import { Throttle } from './throttle.js';

type Body<E extends WorkerEvent> = E extends unknown
  ? Omit<E, 'jobId' | 'accountId' | 'deploymentId' | 'workerId' | 'fence' | 'sequence'>
  : never;

/** The end of a node and the start of the next are told together: between them no node runs, which nobody wants to see. A step waits for nothing. */
const NEXT_NODE_MS = 20;

/**
 * The end of a node is history that nobody waits for: it goes out with the next output or the outcome, or after so long.
 * The last outputs wait for the outcome in the same way. A job of a few short nodes is thus written down with one commit.
 */
const COMPANY_MS = 100;

/** Durable events of one delivery; a job of thousands of small nodes sends several. */
const MOST_TOGETHER = 200;

interface Preview {
  readonly nodeId: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/**
 * Publishes what happens under one lease. Durable events keep their order and are repeated until the bus, or jobs by
 * the direct call, has taken them; progress and previews are throttled and may be lost.
 */
export class LeaseReporter {
  readonly #bus: MessageBus;
  readonly #leases: LeasesPort;
  readonly #lease: JobLease;
  readonly #workerId: string;
  readonly #settings: WorkerSettings;
  readonly #progress: Throttle<JobProgress>;
  readonly #preview: Throttle<Preview>;
  readonly #outputKeys: string[] = [];
  #durableSequence = 0;
  #volatileSequence = 0;
  #waiting: DurableWorkerEvent[] = [];
  #delivery: Promise<void> | null = null;
  #patience: NodeJS.Timeout | undefined;
  #ended = false;
  #ran = false;
  #busIsAway = false;
  #abandoned = false;

  constructor(bus: MessageBus, leases: LeasesPort, lease: JobLease, workerId: string, settings: WorkerSettings) {
    this.#bus = bus;
    this.#leases = leases;
    this.#lease = lease;
    this.#workerId = workerId;
    this.#settings = settings;
    this.#progress = new Throttle(
      settings.reportIntervalMs,
      (progress) => this.#volatile({ kind: 'progress', progress }),
      ({ step }) => (step === null ? NEXT_NODE_MS : 0),
    );
    this.#preview = new Throttle(settings.reportIntervalMs, ({ nodeId, contentType, bytes }) =>
      this.#volatile({ kind: 'preview', nodeId, contentType, dataBase64: Buffer.from(bytes).toString('base64') }),
    );
  }

  progress(progress: JobProgress): void {
    this.#progress.offer(progress);
  }

  preview(preview: Preview): void {
    if (preview.bytes.length <= this.#settings.maxPreviewBytes) this.#preview.offer(preview);
  }

  /** Queues a durable event behind the earlier ones; after the outcome nothing counts any more. */
  durable(body: Body<Exclude<DurableWorkerEvent, { kind: 'outcome' }>>): void {
    // An output that was still being stored when the run was interrupted: its asset is swept.
    if (this.#ended) return;
    if (body.kind === 'output_committed') this.#outputKeys.push(body.output.key);
    this.#enqueue(body);
  }

  /** The engine is done: what is still to tell comes with the outcome, unless the outputs take long to store. */
  ranToEnd(): void {
    this.#ran = true;
    this.#progress.postpone();
  }

  /** The last event of the lease; resolves when it and all before it were taken, or the lease was abandoned. */
  async outcome(outcome: WorkerOutcome, progress: JobProgress): Promise<void> {
    this.#progress.close();
    // The outcome carries the last progress, but no picture.
    this.#preview.flush();
    this.#preview.close();
    this.#ended = true;
    this.#enqueue({ kind: 'outcome', outcome, progress, outputKeys: [...this.#outputKeys] });
    await this.flush();
  }

  /** Resolves when every durable event so far was taken. */
  async flush(): Promise<void> {
    this.#deliverNow();
    await this.#delivery;
  }

  /** The lease is lost: nothing of it matters any more. */
  abandon(): void {
    this.#abandoned = true;
    clearTimeout(this.#patience);
    this.#progress.close();
    this.#preview.close();
  }

  #enqueue(body: Body<DurableWorkerEvent>): void {
    this.#waiting.push({ ...this.#head(++this.#durableSequence), ...body } as DurableWorkerEvent);
    const waitsForCompany = body.kind === 'node_finished' || (this.#ran && body.kind !== 'outcome');
    if (waitsForCompany && this.#waiting.length < MOST_TOGETHER)
      this.#patience ??= setTimeout(() => this.#deliverNow(), COMPANY_MS);
    else this.#deliverNow();
  }

  #deliverNow(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    if (this.#waiting.length > 0) this.#delivery ??= this.#deliverWaiting();
  }

  /** What gathers while a delivery is under way goes out together: jobs writes it down with one commit, not one each. */
  async #deliverWaiting(): Promise<void> {
    // What is told in the same turn, as a node's end and the run's, goes together from the start.
    await Promise.resolve();
    while (this.#waiting.length > 0 && !this.#abandoned) await this.#deliver(this.#waiting.splice(0, MOST_TOGETHER));
    this.#delivery = null;
  }

  async #deliver(events: readonly DurableWorkerEvent[]): Promise<void> {
    for (let pauseMs = 50; !this.#abandoned; pauseMs = Math.min(pauseMs * 2, 2000)) {
      const publishing = this.#publish(events);
      // Waited for once: while the bus is away, each event of the run would cost that time again.
      const patienceMs = this.#busIsAway ? 0 : this.#settings.busPatienceMs;
      this.#busIsAway = !(await settledWithin(publishing, patienceMs));
      if (!this.#busIsAway) return;
      publishing.then(
        () => (this.#busIsAway = false),
        () => undefined,
      );
      const ingested = await this.#leases.ingest(events).then(
        () => true,
        () => false,
      );
      if (ingested) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  #volatile(body: Body<VolatileWorkerEvent>): void {
    const event = { ...this.#head(++this.#volatileSequence), ...body } as VolatileWorkerEvent;
    this.#publish([event]).catch(() => undefined);
  }

  #publish(events: readonly WorkerEvent[]): Promise<void> {
    const headers = this.#headers();
    const messages = events.map((event) => ({
      key: event.jobId,
      id: `${event.jobId}:${event.fence}:${event.kind}:${event.sequence}`,
      type: event.kind,
      payload: event,
      headers,
    }));
    return this.#bus.publish(WORKER_EVENTS_TOPIC, messages);
  }

  #headers(): Record<string, string> {
    return this.#lease.traceparent === null ? {} : { traceparent: this.#lease.traceparent };
  }

  #head(sequence: number) {
    const { jobId, accountId, deploymentId, fence } = this.#lease;
    return { jobId, accountId, deploymentId, workerId: this.#workerId, fence, sequence };
  }
}

/** True when the promise resolved in time; false when it failed or is still open. */
async function settledWithin(promise: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const settled = promise.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
