import { setTimeout as delay } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import { BusClosedError } from '../bus/message-bus.js';
import { reasonOf } from './bus-failures.js';
import type { HealthOfParts } from './bus-health.js';
import { OpenClient } from './open-client.js';
import { untilAborted, withinMs } from './time-limit.js';

const CONNECTED_MS = 5_000;
const AWAY_MS = 1_000;
const ANSWER_WITHIN_MS = 6_000;
/** The health part that this probe reports. */
export const BROKERS = 'brokers';

/** Probes the brokers at intervals, so that health is right even without traffic. */
export class BrokerProbe {
  readonly #closed = new AbortController();
  #admin: OpenClient<Admin> | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly kafka: Kafka,
    private readonly brokers: readonly string[],
    private readonly health: HealthOfParts,
  ) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** One probe; rejects with the client's failure. */
  async ask(): Promise<void> {
    try {
      await withinMs(ANSWER_WITHIN_MS, this.#describe(), () => new Error('no answer in time'));
      this.health.report(BROKERS, null);
    } catch (error) {
      this.health.report(BROKERS, `the Kafka brokers ${this.brokers.join(', ')}: ${reasonOf(error)}`);
      void this.#leave();
      throw error;
    }
  }

  async #describe(): Promise<void> {
    this.#admin ??= new OpenClient(this.kafka.admin());
    await this.#admin.use(async (admin) => await admin.describeCluster());
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#leave();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const pause = await untilAborted(signal, this.ask(), () => new BusClosedError()).then(
        () => CONNECTED_MS,
        () => AWAY_MS,
      );
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #leave(): Promise<void> {
    const admin = this.#admin;
    this.#admin = undefined;
    await admin?.leave();
  }
}
