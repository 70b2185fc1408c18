import { BusClosedError, BusFullError } from '../bus/message-bus.js';
import { BusUnreachableError } from './bus-failures.js';
import type { OutgoingRecord } from './message-record.js';

interface PublishQueueLimits {
  readonly waitingMessages: number;
  readonly waitingBytes: number;
  readonly publishWithinMs: number;
}

/** Sends records in one request; resolves when all are acknowledged, rejects soon after the deadline (epoch ms). */
export type SendRecords = (records: readonly OutgoingRecord[], deadline: number) => Promise<void>;

/** Limits of one request: below the brokers' 1 MiB per partition batch, unless a single record is larger. */
const BATCH_MESSAGES = 1_000;
const BATCH_BYTES = 900 * 1024;

interface Publication {
  open: number;
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Waiting {
  readonly record: OutgoingRecord;
  readonly publication: Publication;
}

/**
 * Batches records for a client that makes one request per send. One request at a time keeps the order: a single record
 * is sent at once, and records that arrive meanwhile share the next request. The number of records and bytes is
 * bounded.
 */
export class PublishQueue {
  #waiting: Waiting[] = [];
  #bytes = 0;
  #closed = false;
  #sending: Promise<void> | undefined;

  constructor(
    private readonly send: SendRecords,
    private readonly limits: PublishQueueLimits,
  ) {}

  /** Resolves when all are acknowledged. After a rejection some may have arrived. */
  async add(records: readonly OutgoingRecord[]): Promise<void> {
    if (this.#closed) throw new BusClosedError();
    const [first] = records;
    if (!first) return;
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    this.#refuseBeyond(first.topic, records.length, bytes);
    this.#bytes += bytes;
    await new Promise<void>((resolve, reject) => {
      const deadline = Date.now() + this.limits.publishWithinMs;
      const publication: Publication = { open: records.length, deadline, resolve, reject };
      for (const record of records) this.#waiting.push({ record, publication });
      this.#sending ??= this.#sendAll();
    });
  }

  /** Refuses new records, and those still queued after the limit; the sender must end the request in flight. */
  async close(limitMs: number): Promise<void> {
    this.#closed = true;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
    await Promise.race([this.#sending, limit]);
    clearTimeout(timer);
    this.#rejectWaiting(() => true, new BusClosedError());
  }

  /** A publication larger than the whole limit is accepted when the queue is empty. */
  #refuseBeyond(topic: string, messages: number, bytes: number): void {
    if (this.#waiting.length === 0) return;
    const { waitingMessages, waitingBytes } = this.limits;
    if (this.#waiting.length + messages <= waitingMessages && this.#bytes + bytes <= waitingBytes) return;
    throw new BusFullError(topic, `${this.#waiting.length} messages of ${this.#bytes} bytes wait for the broker`);
  }

  async #sendAll(): Promise<void> {
    // Lets a publisher finish its synchronous calls, so that they share the first request.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      const deadline = Math.min(...batch.map(({ publication }) => publication.deadline));
      try {
        await this.send(
          batch.map(({ record }) => record),
          deadline,
        );
        for (const { publication } of batch) if (--publication.open === 0) publication.resolve();
      } catch (error) {
        this.#fail(new Set(batch.map(({ publication }) => publication)), error);
        const late = new BusUnreachableError('No broker took the message in time.', { cause: error });
        this.#rejectWaiting((publication) => publication.deadline <= Date.now(), late);
      }
    }
    this.#sending = undefined;
  }

  #takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { record } of this.#waiting) {
      if (count > 0 && (count >= BATCH_MESSAGES || bytes + record.bytes > BATCH_BYTES)) break;
      bytes += record.bytes;
      count++;
    }
    this.#bytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  /** The rest of a failed publication is dropped: its publisher repeats all of it. */
  #fail(publications: ReadonlySet<Publication>, error: unknown): void {
    for (const publication of publications) publication.reject(error);
    this.#waiting = this.#waiting.filter(({ publication }) => !publications.has(publication));
    this.#bytes = this.#waiting.reduce((sum, { record }) => sum + record.bytes, 0);
  }

  #rejectWaiting(applies: (publication: Publication) => boolean, error: Error): void {
    const late = new Set(this.#waiting.map(({ publication }) => publication).filter(applies));
    if (late.size > 0) this.#fail(late, error);
  }
}
