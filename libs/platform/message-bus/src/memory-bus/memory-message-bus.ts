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

interface MemoryBusOptions extends DeliveryOptions {
  /** Number of lanes per group; keys are spread over them, and they run in parallel; default 4. */
  readonly lanes?: number;
  /** Maximum messages held per group; default 10,000. */
  readonly capacity?: number;
  /** Maximum publishers that wait for room in a group; default 1,000. */
  readonly waitingPublishers?: number;
}

/**
 * The bus of one process. It stores nothing: a crash loses unhandled messages, and their publisher, whose `publish` has
 * not resolved, sends them again from its own checkpoint. A topic that never had subscribers drops messages, so
 * subscribe first and start the log's reader last; a group that everyone has left refuses messages.
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
    // A separate process elsewhere is a separate subscription here.
    const place = options.everyProcess ? `${group} ${++this.#ownGroups}` : group;
    const joined = groups.get(place) ?? new ConsumerGroup(topic, group, this.#limits);
    groups.set(place, joined);
    // The same function may subscribe twice, as two subscriptions.
    const own: BatchHandler = async (batch) => await handle(batch);
    joined.join(own);
    const subscription: BusSubscription = {
      close: async () => {
        this.#subscriptions.delete(subscription);
        const left = joined.leave(own);
        // A group without members still needs its messages: publishers keep them until someone rejoins.
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
