/** A fact for other services. It may be shared between handlers: nobody changes it. */
export interface BusMessage<Payload = unknown> {
  /** Messages of one key stay in order; for jobs the job's id. */
  readonly key: string;
  /** The same for every copy of the message: what a handler knows duplicates by. */
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
   * Each process that subscribes gets every message, from when its subscription has reached the broker; nothing is remembered for it
   * beyond its life. Without it, the subscribers of a group share the messages.
   */
  readonly everyProcess?: boolean;
  /**
   * Milliseconds for which messages may wait for others to be taken together with them; 0 unless told. Asked again while they wait. A
   * broker's subscriber spends more on each taking than on a message; in memory nothing is taken, and nothing waits.
   */
  readonly gatherMs?: () => number;
}

/** A message that its handler refused too often, or that no handler could be given. Delivery of the ones behind it goes on. */
export interface DeadLetter {
  readonly topic: string;
  readonly group: string;
  /** As far as it could be read: fields that could not are empty. */
  readonly message: BusMessage;
  /** 0 for a message that could not be read. */
  readonly attempts: number;
  readonly reason: string;
}

/**
 * At-least-once transport between services. Each group gets every message that is published after its first subscription; within a group
 * each key is handled by one subscriber at a time, in order of publishing. A handler that throws gets its messages again, alone and
 * after a growing pause; after a bounded number of attempts the message becomes a dead letter. Effects are the handler's to make idempotent:
 * over a broker, what a subscriber had in hand when keys moved to another, or when it died, is handled again by the other.
 */
export interface MessageBus {
  /**
   * Resolves when the messages are safe, that is when they reach every group although this process died now: a broker has acknowledged them,
   * or, where the bus is memory, every group has handled them. Until then the publisher must be able to publish them again. Rejects after a
   * bounded time, and at once with `BusFullError` when too much waits already; whether the messages arrived is open then.
   */
  publish(topic: string, messages: readonly BusMessage[]): Promise<void>;

  /**
   * Resolves when messages that are published from now on reach the group. An unreachable broker is no failure: after a few seconds,
   * or at once where it is known to be away, it resolves all the same and goes on in the background. The group misses nothing by that, as it begins where it ended, or with the
   * oldest message that is kept; `everyProcess` begins with what is published after the broker was reached.
   */
  subscribe(topic: string, group: string, handle: BatchHandler, options?: SubscribeOptions): Promise<BusSubscription>;

  /** Waits for batches in flight; publishing is refused from now on. */
  close(): Promise<void>;
}

export const MESSAGE_BUS = Symbol('MessageBus');

/** Limits of delivery that every implementation has. */
export interface DeliveryOptions {
  /** Most messages of one batch; 500. */
  readonly batchSize?: number;
  /** How often a message is tried before it is a dead letter; 5. */
  readonly attempts?: number;
  /** The first pause before a repetition, doubled each time up to 2 s; 50. */
  readonly backoffMs?: number;
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  /** The failure is that of something that is away, and no fault of the message: it is tried for as long as that lasts. */
  readonly isOutage?: (failure: unknown) => boolean;
  readonly onOutage?: (wait: DeliveryWait) => void;
}

/** A group waits with its messages for something that is away; `reason` is null once it goes on. */
export interface DeliveryWait {
  readonly topic: string;
  readonly group: string;
  readonly reason: string | null;
}

/** The bus was closed before the message was safe. */
export class BusClosedError extends Error {
  constructor() {
    super('The message bus is closed.');
    this.name = 'BusClosedError';
  }
}

/** Too much waits to be published already. */
export class BusFullError extends Error {
  constructor(topic: string, because: string) {
    super(`The message bus takes no more for ${topic}: ${because}.`);
    this.name = 'BusFullError';
  }
}
