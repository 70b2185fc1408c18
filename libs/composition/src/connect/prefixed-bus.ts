import type {
  BatchHandler,
  BusMessage,
  BusSubscription,
  MessageBus,
  SubscribeOptions,
} from '@heddle/platform-message-bus';

/** Adds a prefix to topics and groups, so that several clusters may share brokers. */
export class PrefixedBus implements MessageBus {
  constructor(
    private readonly bus: MessageBus,
    private readonly prefix: string,
  ) {}

  async publish(topic: string, messages: readonly BusMessage[]): Promise<void> {
    await this.bus.publish(this.prefix + topic, messages);
  }

  async subscribe(
    topic: string,
    group: string,
    handle: BatchHandler,
    options?: SubscribeOptions,
  ): Promise<BusSubscription> {
    return await this.bus.subscribe(this.prefix + topic, this.prefix + group, handle, options);
  }

  async close(): Promise<void> {
    await this.bus.close();
  }
}
