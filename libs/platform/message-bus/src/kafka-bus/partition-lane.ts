import type { KafkaMessage } from 'kafkajs';
import { sizeOf } from './message-record.js';

/** Handles a batch; returns false if it was stopped before the end. */
export type WorkBatch = (batch: readonly KafkaMessage[], isStopped: () => boolean) => Promise<boolean>;

interface Queued {
  readonly message: KafkaMessage;
  readonly bytes: number;
}

interface LaneHooks {
  /** Everything below this offset is handled. */
  onHandled(next: bigint): void;
  /** The lane has room again. */
  onRoom(): void;
  /** A batch could be neither handled nor given up; the lane has ended. */
  onBroken(error: unknown): void;
}

/** Batches that a lane may hold before its partition is paused; one more fetch of up to 1 MiB can be on its way. */
const FULL_BATCHES = 2;
const FULL_BYTES = 2 * 1024 * 1024;

/**
 * Messages of one partition that are not handled yet, processed in order outside the client's loop. A slow handler or a
 * retry delays only its own partition; the client continues with heartbeats and other partitions.
 */
export class PartitionLane {
  #queued: Queued[] = [];
  #bytes = 0;
  #finishing = false;
  #dropped = false;
  #working: Promise<void> | undefined;
  /** The next expected offset. */
  next: bigint | undefined;

  constructor(
    private readonly work: WorkBatch,
    private readonly batchSize: number,
    private readonly hooks: LaneHooks,
    /** Work in flight of an earlier lane of this partition. */
    private readonly predecessor: Promise<void>,
  ) {}

  get isFull(): boolean {
    return this.#queued.length >= FULL_BATCHES * this.batchSize || this.#bytes >= FULL_BYTES;
  }

  /** Messages in order; `next` is the offset after them. */
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

  /** The partition moved to another member: like `finish`, but nothing more is reported as handled. */
  async drop(): Promise<void> {
    this.#dropped = true;
    await this.finish();
  }

  /** Leaves queued messages to the next member; resolves when nothing is in flight. */
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
      // Continuing would report later messages, and with them this batch, as handled.
      this.#finishing = true;
      this.#queued = [];
      this.hooks.onBroken(error);
      return false;
    }
  }
}
