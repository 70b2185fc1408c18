/** A fact for other services. Handlers share the object, so they must not change it. */
export interface BusMessage<Payload = unknown> {
  /** Messages with the same key stay in order; for jobs the key is the job id. */
  readonly key: string;
  /** Identical in every copy of the message: handlers detect duplicates by it. */
  readonly id: string;
  readonly type: string;
  /** JSON-safe. */
  readonly payload: Payload;
  readonly headers: Readonly<Record<string, string>>;
}

export type BatchHandler = (batch: readonly BusMessage[]) => Promise<void>;

export interface BusSubscription {
  /** Waits for the batch in flight. */
  close(): Promise<void>;
}

export interface SubscribeOptions {
  /**
   * Every process that subscribes receives every message published after its subscription has reached the broker; its
   * position is not kept when the process ends. Otherwise the subscribers of a group share the messages.
   */
  readonly everyProcess?: boolean;
  /**
   * Milliseconds that messages may wait to fill a batch; default 0. Read again while they wait. With a broker each
   * fetch costs more than a message; the in-memory bus never waits.
   */
  readonly batchWaitMs?: () => number;
}

/**
 * A message that its handler refused too often, or that could not be read. Delivery continues with the next message.
 */
export interface DeadLetter {
  readonly topic: string;
  readonly group: string;
  /** As far as it could be read; unreadable fields are empty. */
  readonly message: BusMessage;
  /** 0 for a message that could not be read. */
  readonly attempts: number;
  readonly reason: string;
}

/**
 * At-least-once transport between services. Each group receives every message published after its first subscription;
 * within a group one subscriber at a time handles each key, in publishing order. If a handler throws, its messages are
 * delivered again, one by one with backoff; after a bounded number of attempts a message becomes a dead letter.
 * Handlers must be idempotent: with a broker, messages in flight are handled again after a rebalance or a crash.
 * Implementations pass `libs/platform/message-bus/src/bus/message-bus.suite.ts`.
 */
export interface MessageBus {
  /**
   * Resolves when the messages would reach every group even if this process died now: a broker has acknowledged them
   * or, in memory, every group has handled them. Until then the publisher must be able to publish them again. Rejects
   * after a bounded time, and at once with `BusFullError` if too many messages wait; the messages may have arrived all
   * the same.
   */
  publish(topic: string, messages: readonly BusMessage[]): Promise<void>;

  /**
   * Resolves when messages published from now on reach the group. An unreachable broker is not an error: after a few
   * seconds, or at once if it is known to be unreachable, it resolves and continues in the background. The group misses
   * nothing: it starts at its committed offset or the oldest retained message. `everyProcess` starts with messages
   * published after the broker was reached.
   */
  subscribe(topic: string, group: string, handle: BatchHandler, options?: SubscribeOptions): Promise<BusSubscription>;

  /** Waits for batches in flight; from now on publishing is refused. */
  close(): Promise<void>;
}

/** Delivery limits of every implementation. */
export interface DeliveryOptions {
  /** Maximum messages per batch; default 500. */
  readonly batchSize?: number;
  /** Attempts before a message becomes a dead letter; default 5. */
  readonly attempts?: number;
  /** First pause before a retry, doubled each time up to 2 s; default 50. */
  readonly backoffMs?: number;
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  /**
   * True if the failure is caused by an unreachable dependency, not by the message: it is retried for as long as that
   * lasts.
   */
  readonly isOutage?: (failure: unknown) => boolean;
  readonly onOutage?: (wait: DeliveryWait) => void;
}

/** A group's delivery is paused because a dependency is unreachable; `reason` is null once it continues. */
export interface DeliveryWait {
  readonly topic: string;
  readonly group: string;
  readonly reason: string | null;
}

/** The bus was closed before the message was acknowledged. */
export class BusClosedError extends Error {
  constructor() {
    super('The message bus is closed.');
    this.name = 'BusClosedError';
  }
}

/** Too many messages wait to be published. */
export class BusFullError extends Error {
  constructor(topic: string, because: string) {
    super(`The message bus refuses messages for ${topic}: ${because}.`);
    this.name = 'BusFullError';
  }
}
