import { BaseRpcContext, Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { BusMessage, BusSubscription, MessageBus } from '../bus/message-bus.js';

/** Context of a handler: the topic and the group of the batch. */
export class BusContext extends BaseRpcContext<[topic: string, group: string]> {
  get topic(): string {
    return this.args[0];
  }

  get group(): string {
    return this.args[1];
  }
}

interface Registration {
  readonly topic: string;
  readonly group: string;
  readonly everyProcess: boolean;
  readonly batchWaitMs: number;
  readonly handler: MessageHandler<readonly BusMessage[], BusContext>;
}

/**
 * Serves `@EventPattern(topic, { group, everyProcess?, batchWaitMs? })` handlers from a message bus: `handle(@Payload()
 * batch: BusMessage[], @Ctx() context: BusContext)`; a handler with a typed context needs `@EventPattern<string>`. Each
 * handler has its own subscription, even on a shared topic, so that a failing one is retried alone. Nest's event
 * dispatch is not used: it does not wait for the handler, and a failure would count as handled.
 */
export class MessageBusStrategy extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  override readonly transportId = Symbol('heddle message bus');
  readonly #registrations: Registration[] = [];
  readonly #subscriptions: BusSubscription[] = [];

  constructor(
    private readonly bus: MessageBus,
    /** For handlers that name no group. */
    private readonly defaultGroup: string,
    /** While it returns true, handlers with `batchWaitMs` do not wait either. */
    private readonly isHurried: () => boolean = () => false,
  ) {
    super();
  }

  override addHandler(
    pattern: unknown,
    handler: MessageHandler,
    isEventHandler = false,
    extras: Record<string, unknown> = {},
  ): void {
    if (!isEventHandler || typeof pattern !== 'string') {
      throw new Error(
        `The message bus carries events of named topics only; ${JSON.stringify(pattern)} is not a topic name.`,
      );
    }
    const group = typeof extras['group'] === 'string' ? extras['group'] : this.defaultGroup;
    if (this.#registrations.some((known) => known.topic === pattern && known.group === group)) {
      throw new Error(`Two handlers of topic ${pattern} are in group ${group}: each would see half of the messages.`);
    }
    const batchWaitMs = Number(extras['batchWaitMs'] ?? 0);
    this.#registrations.push({
      topic: pattern,
      group,
      everyProcess: extras['everyProcess'] === true,
      batchWaitMs,
      handler,
    });
  }

  listen(callback: (error?: unknown) => void): void {
    this.#subscribe().then(() => callback(), callback);
  }

  async close(): Promise<void> {
    await Promise.all(this.#subscriptions.splice(0).map(async (subscription) => await subscription.close()));
  }

  on(event: string): void {
    throw new Error(`The message bus has no event ${event}.`);
  }

  unwrap<T>(): T {
    return this.bus as T;
  }

  /** In parallel: with brokers away, each takes its start patience. */
  async #subscribe(): Promise<void> {
    await Promise.all(
      this.#registrations.map(async ({ topic, group, everyProcess, batchWaitMs: maxMs, handler }) => {
        const context = new BusContext([topic, group]);
        const handle = async (batch: readonly BusMessage[]): Promise<void> => {
          const result: unknown = await handler(batch, context);
          if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
        };
        const batchWaitMs = (): number => (this.isHurried() ? 0 : maxMs);
        this.#subscriptions.push(await this.bus.subscribe(topic, group, handle, { everyProcess, batchWaitMs }));
      }),
    );
  }
}
