import {
  BusClosedError,
  type BatchHandler,
  type BusMessage,
  type BusSubscription,
  type DeliveryOptions,
  type MessageBus,
  type SubscribeOptions,
} from '../bus/message-bus.js';
import { ConsumerGroup } from './consumer-group.js';
import type { MemoryBusLimits } from './memory-bus-limits.js';

export interface MemoryBusOptions extends DeliveryOptions {
  /** Keys of a group are spread over so many lanes that are handled side by side; 4. */
  readonly lanes?: number;
  /** Most messages that a group holds; 10,000. */
  readonly capacity?: number;
  /** Most publishers that wait for room in a group; 1,000. */
  readonly waitingPublishers?: number;
}

/**
 * The bus of one process. Nothing is stored: a crash takes what was not handled, and its publisher, whose `publish` has not
 * resolved, sends it again from its own checkpoint. A topic that never had subscribers takes messages and forgets them,
 * so subscribers come first and the log's reader is started last; where all of a group have left, nothing is taken.
 */
export class MemoryMessageBus implements MessageBus {
  readonly #limits: MemoryBusLimits;
  readonly #topics = new Map<string, Map<string, ConsumerGroup>>();
  readonly #subscriptions = new Set<BusSubscription>();
  #ownGroups = 0;
  #closed = false;

  constructor(options: MemoryBusOptions = {}) {
    this.#limits = {
      batchSize: 500,
      attempts: 5,
      backoffMs: 50,
      lanes: 4,
      capacity: 10_000,
      waitingPublishers: 1_000,
      ...options,
    };
  }

  async publish(topic: string, messages: readonly BusMessage[]): Promise<void> {
    if (this.#closed) throw new BusClosedError();
    const groups = this.#topics.get(topic);
    if (!groups || messages.length === 0) return;
    await Promise.all([...groups.values()].map(async (group) => await group.take(messages)));
  }

  async subscribe(
    topic: string,
    group: string,
    handle: BatchHandler,
    options: SubscribeOptions = {},
  ): Promise<BusSubscription> {
    if (this.#closed) throw new BusClosedError();
    const groups = this.#topics.get(topic) ?? new Map<string, ConsumerGroup>();
    this.#topics.set(topic, groups);
    // What is one process elsewhere is one subscription here.
    const place = options.everyProcess ? `${group} ${++this.#ownGroups}` : group;
    const joined = groups.get(place) ?? new ConsumerGroup(topic, group, this.#limits);
    groups.set(place, joined);
    // The same function may subscribe twice: each subscription is one of its own.
    const own: BatchHandler = async (batch) => await handle(batch);
    joined.join(own);
    const subscription: BusSubscription = {
      close: async () => {
        this.#subscriptions.delete(subscription);
        const left = joined.leave(own);
        // A group that nobody is in still wants its messages: its publishers keep them until somebody is back.
        if (joined.isEmpty && options.everyProcess === true) groups.delete(place);
        await left;
      },
    };
    this.#subscriptions.add(subscription);
    return await Promise.resolve(subscription);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#subscriptions].map(async (subscription) => await subscription.close()));
  }
}
