import { deliverBatch } from '../bus/deliver-batch.js';
import { BusClosedError, BusFullError, type BatchHandler, type BusMessage } from '../bus/message-bus.js';
import type { MemoryBusLimits } from './memory-bus-limits.js';

interface Entry {
  readonly message: BusMessage;
  readonly settle: (error?: Error) => void;
}

interface Lane {
  readonly entries: Entry[];
  working: Promise<void> | undefined;
}

interface Waiting {
  readonly size: number;
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * One group's part of a topic: lanes by key, each handled in order by one subscriber at a time, like a broker's
 * partitions. Holds at most `capacity` messages; further publishers wait, and beyond `waitingPublishers` they are
 * refused.
 */
export class ConsumerGroup {
  readonly #lanes: readonly Lane[];
  readonly #line: Waiting[] = [];
  readonly #handlers: BatchHandler[] = [];
  #held = 0;

  constructor(
    private readonly topic: string,
    private readonly name: string,
    private readonly limits: MemoryBusLimits,
  ) {
    this.#lanes = Array.from({ length: limits.lanes }, () => ({ entries: [], working: undefined }));
  }

  get isEmpty(): boolean {
    return this.#handlers.length === 0;
  }

  join(handle: BatchHandler): void {
    this.#handlers.push(handle);
  }

  /** Waits for the leaver's work in flight; if nobody remains, queued messages go back to their publishers. */
  async leave(handle: BatchHandler): Promise<void> {
    const at = this.#handlers.indexOf(handle);
    if (at >= 0) this.#handlers.splice(at, 1);
    if (this.isEmpty) this.#refuseAll();
    await Promise.all(this.#lanes.map(async (lane) => await lane.working));
  }

  /** Resolves when all messages were handled or given up. Calls are served in order. */
  async take(messages: readonly BusMessage[]): Promise<void> {
    if (this.isEmpty) throw new BusClosedError();
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => this.#enter(messages, resolve, reject);
      if (this.#line.length === 0 && this.#fits(messages.length)) enter();
      else if (this.#line.length < this.limits.waitingPublishers)
        this.#line.push({ size: messages.length, enter, refuse: reject });
      else reject(new BusFullError(this.topic, `group ${this.name} does not keep up`));
    });
  }

  #enter(messages: readonly BusMessage[], resolve: () => void, reject: (error: Error) => void): void {
    let open = messages.length;
    this.#held += open;
    const settle = (error?: Error): void => {
      this.#held--;
      open--;
      if (error) reject(error);
      else if (open === 0) resolve();
      this.#advanceLine();
    };
    for (const message of messages) this.#laneOf(message.key)?.entries.push({ message, settle });
    for (const lane of this.#lanes) lane.working ??= lane.entries.length > 0 ? this.#work(lane) : undefined;
  }

  /** A publication larger than the whole capacity is accepted when the group is empty. */
  #fits(size: number): boolean {
    return this.#held === 0 || this.#held + size <= this.limits.capacity;
  }

  #advanceLine(): void {
    for (let next = this.#line[0]; next && this.#fits(next.size); next = this.#line[0]) {
      this.#line.shift();
      next.enter();
    }
  }

  #laneOf(key: string): Lane | undefined {
    let hash = 0;
    for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
    return this.#lanes[Math.abs(hash) % this.#lanes.length];
  }

  async #work(lane: Lane): Promise<void> {
    const number = this.#lanes.indexOf(lane);
    // Lets a publisher finish filling the lanes, so that the first batch is not a single message.
    await Promise.resolve();
    for (;;) {
      const handle = this.#handlers[number % this.#handlers.length];
      const batch = lane.entries.splice(0, this.limits.batchSize);
      if (batch.length === 0) break;
      if (!handle) {
        for (const entry of batch) entry.settle(new BusClosedError());
        continue;
      }
      const { topic, name: group } = this;
      const { attempts, onDeadLetter } = this.limits;
      const done = await deliverBatch(
        batch.map(({ message }) => message),
        handle,
        this.limits,
        {
          topic,
          group,
          onGivenUp: (message, reason) => onDeadLetter?.({ topic, group, message, attempts, reason }),
          // A subscriber that leaves during an outage does not wait for its end: the publisher keeps unhandled
          // messages.
          isStopped: () => this.isEmpty,
        },
      );
      for (const entry of batch) entry.settle(done ? undefined : new BusClosedError());
    }
    lane.working = undefined;
  }

  #refuseAll(): void {
    for (const waiting of this.#line.splice(0)) waiting.refuse(new BusClosedError());
    for (const lane of this.#lanes) for (const entry of lane.entries.splice(0)) entry.settle(new BusClosedError());
  }
}
