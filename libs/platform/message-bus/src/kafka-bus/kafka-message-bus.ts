import { setTimeout as delay } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import {
  BusClosedError,
  type BatchHandler,
  type BusMessage,
  type BusSubscription,
  type MessageBus,
  type SubscribeOptions,
} from '../bus/message-bus.js';
import { BrokerProbe } from './broker-probe.js';
import { BusRefusedError, isHungUp, reasonOf, refusalOf } from './bus-failures.js';
import { HealthOfParts, type BusHealth } from './bus-health.js';
import { kafkaClient } from './kafka-client.js';
import { settingsOf, silent, type KafkaBusOptions, type KafkaBusSettings } from './kafka-bus-options.js';
import { GroupMembers } from './group-members.js';
import { KafkaSubscription } from './kafka-subscription.js';
import { recordOf } from './message-record.js';
import { PublishQueue } from './publish-queue.js';
import { RecordDelivery } from './record-delivery.js';
import { RecordSender } from './record-sender.js';
import { untilAborted } from './time-limit.js';

const RETRY_MS = 250;
/** A broker that is starting or stopping may hang up once or twice. */
const HANG_UPS_OF_A_REFUSAL = 3;
const DRAIN_WITHIN_MS = 1_500;

/** Counters for metrics. */
interface KafkaBusCounters {
  readonly published: number;
  readonly failedSends: number;
  readonly newProducers: number;
  readonly delivered: number;
  readonly deadLetters: number;
  /** Dead letters that could not be read. */
  readonly malformed: number;
  readonly newMembers: number;
}

/** The bus of a cluster, on Apache Kafka. Topics must exist: see `ensureTopics`. */
export class KafkaMessageBus implements MessageBus {
  readonly #settings: KafkaBusSettings;
  readonly #kafka: Kafka;
  readonly #health: HealthOfParts;
  readonly #probe: BrokerProbe;
  readonly #sender: RecordSender;
  readonly #queue: PublishQueue;
  readonly #delivery: RecordDelivery;
  readonly #subscriptions = new Set<KafkaSubscription>();
  #published = 0;
  #newMembers = 0;
  #closed = false;

  private constructor(options: KafkaBusOptions) {
    this.#settings = settingsOf(options);
    this.#kafka = kafkaClient(options);
    this.#health = new HealthOfParts(options.onHealth);
    this.#probe = new BrokerProbe(this.#kafka, options.brokers, this.#health);
    this.#sender = new RecordSender(this.#kafka, this.#health, options.log ?? silent);
    this.#queue = new PublishQueue(
      async (records, deadline) => await this.#sender.send(records, deadline),
      this.#settings,
    );
    this.#delivery = new RecordDelivery(this.#settings, async (record) => await this.#queue.add([record]));
  }

  /**
   * Rejects with `BusRefusedError` if the brokers refuse this process. If none is reached within the start patience, it
   * resolves and keeps trying; `health` names what it waits for. Rejects with `BusClosedError` if the signal is
   * aborted.
   */
  static async connect(options: KafkaBusOptions): Promise<KafkaMessageBus> {
    const bus = new KafkaMessageBus(options);
    try {
      await untilAborted(options.signal, bus.#firstContact(), () => new BusClosedError());
    } catch (error) {
      await bus.close();
      throw error;
    }
    bus.#probe.start();
    return bus;
  }

  health(): BusHealth {
    return this.#health.health();
  }

  counters(): KafkaBusCounters {
    let newMembers = this.#newMembers;
    for (const subscription of this.#subscriptions) newMembers += subscription.counters.newMembers;
    return { published: this.#published, ...this.#sender.counters, ...this.#delivery.counters, newMembers };
  }

  async publish(topic: string, messages: readonly BusMessage[]): Promise<void> {
    if (this.#closed) throw new BusClosedError();
    await this.#queue.add(messages.map((message) => recordOf(topic, message, this.#settings.maxMessageBytes)));
    this.#published += messages.length;
  }

  async subscribe(
    topic: string,
    group: string,
    handle: BatchHandler,
    options: SubscribeOptions = {},
  ): Promise<BusSubscription> {
    if (this.#closed) throw new BusClosedError();
    const place = { topic, group, everyProcess: options.everyProcess === true, batchWaitMs: options.batchWaitMs };
    const members = new GroupMembers(this.#kafka, place, this.#settings, (...batch) =>
      this.#delivery.deliver(place, handle, ...batch),
    );
    const subscription = new KafkaSubscription(members, this.#settings, this.#health);
    this.#subscriptions.add(subscription);
    try {
      await subscription.open();
    } catch (error) {
      this.#subscriptions.delete(subscription);
      throw error;
    }
    return { close: async () => await this.#end(subscription) };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#subscriptions].map(async (subscription) => await this.#end(subscription)));
    await this.#queue.close(DRAIN_WITHIN_MS);
    await Promise.all([this.#sender.close(), this.#probe.close()]);
  }

  async #end(subscription: KafkaSubscription): Promise<void> {
    await subscription.close();
    if (this.#subscriptions.delete(subscription)) this.#newMembers += subscription.counters.newMembers;
  }

  async #firstContact(): Promise<void> {
    let hangUps = 0;
    for (const deadline = Date.now() + this.#settings.startPatienceMs; ; await delay(RETRY_MS)) {
      if (this.#closed) throw new BusClosedError();
      try {
        await this.#probe.ask();
        await this.#sender.connect();
        return;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal) throw refusal;
        hangUps = isHungUp(error) ? hangUps + 1 : 0;
        const isLate = Date.now() > deadline;
        if (hangUps >= HANG_UPS_OF_A_REFUSAL || (isLate && hangUps > 1)) throw hungUp(this.#settings, error);
        if (isLate) {
          this.#settings.log?.('warn', 'no Kafka broker answers yet', { reason: reasonOf(error) });
          return;
        }
      }
    }
  }
}

function hungUp({ tls, sasl }: KafkaBusOptions, cause: unknown): BusRefusedError {
  const said = `TLS is ${tls ? 'on' : 'off'} and SASL ${sasl ? 'on' : 'off'} here`;
  return new BusRefusedError(
    tls || sasl ? 'tls' : 'credentials',
    `The Kafka broker accepts the connection and closes it: ${said}, and its listener expects something else.`,
    { cause },
  );
}
