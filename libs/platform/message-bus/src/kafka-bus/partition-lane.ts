import type { KafkaMessage } from 'kafkajs';
import { sizeOf } from './message-record.js';

/** Works a batch off; answers false where it stopped before the end because it was told to. */
export type WorkBatch = (batch: readonly KafkaMessage[], isStopped: () => boolean) => Promise<boolean>;

interface Queued {
  readonly message: KafkaMessage;
  readonly bytes: number;
}

export interface LaneHooks {
  /** Everything below this offset is done. */
  onHandled(next: bigint): void;
  /** There is room again. */
  onRoom(): void;
  /** A batch could be neither handled nor given up; the lane has ended. */
  onBroken(error: unknown): void;
}

/** What a lane may hold before its partition is paused; one more fetch of up to 1 MiB can be on its way then. */
const FULL_BATCHES = 2;
const FULL_BYTES = 2 * 1024 * 1024;

/**
 * What one partition has delivered and is not handled yet, worked off in order beside the client's own loop. So a slow handler or a
 * repetition holds up its own partition alone, and the client goes on with heartbeats and the other partitions.
 */
export class PartitionLane {
  #queued: Queued[] = [];
  #bytes = 0;
  #finishing = false;
  #dropped = false;
  #working: Promise<void> | undefined;
  /** The offset that is expected next. */
  next: bigint | undefined;

  constructor(
    private readonly work: WorkBatch,
    private readonly batchSize: number,
    private readonly hooks: LaneHooks,
    /** What an earlier lane of this partition still has in hand. */
    private readonly predecessor: Promise<void>,
  ) {}

  get isFull(): boolean {
    return this.#queued.length >= FULL_BATCHES * this.batchSize || this.#bytes >= FULL_BYTES;
  }

  /** Of the messages, in order; `next` is the offset behind them. */
  add(messages: readonly KafkaMessage[], next: bigint): void {
    if (this.#finishing) return;
    for (const message of messages) {
      const bytes = sizeOf(message);
      this.#queued.push({ message, bytes });
      this.#bytes += bytes;
    }
    this.next = next;
    this.#working ??= this.#workOff();
  }

  /** The partition is another's now: as `finish`, and nothing is reported as handled any more. */
  async drop(): Promise<void> {
    this.#dropped = true;
    await this.finish();
  }

  /** Leaves what is queued to whoever comes later; resolves when nothing is in hand. */
  async finish(): Promise<void> {
    this.#finishing = true;
    this.#queued = [];
    this.#bytes = 0;
    await this.#working;
    await this.predecessor;
  }

  async #workOff(): Promise<void> {
    await this.predecessor;
    while (this.#queued.length > 0) {
      const taken = this.#queued.splice(0, this.batchSize);
      for (const { bytes } of taken) this.#bytes -= bytes;
      if (!this.isFull) this.hooks.onRoom();
      const batch = taken.map(({ message }) => message);
      const done = await this.#handled(batch);
      const last = batch.at(-1);
      if (this.#dropped || !done || !last) break;
      this.hooks.onHandled(BigInt(last.offset) + 1n);
    }
    this.#working = undefined;
  }

  async #handled(batch: readonly KafkaMessage[]): Promise<boolean> {
    try {
      return await this.work(batch, () => this.#finishing);
    } catch (error) {
      // Going on would report the messages behind this batch, and with them the batch, as handled.
      this.#finishing = true;
      this.#queued = [];
      this.hooks.onBroken(error);
      return false;
    }
  }
}
