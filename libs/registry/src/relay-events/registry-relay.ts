import { Inject, Injectable } from '@nestjs/common';
import { REGISTRY_EVENTS_TOPIC } from '@heddle/contracts-messages';
import { LogReader } from '@heddle/platform-event-log';
import type { SequencedEvent } from '@heddle/platform-event-log';
import type { MessageBus } from '@heddle/platform-message-bus';
import type { Pool } from 'pg';
import { RegistryLogger } from '../registry-logger.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { REGISTRY_SCHEMA } from '../registry-schema/registry-migrations.js';
import { RegistryMessages } from './registry-messages.js';

/** The bus that other services read; null in standalone, where nobody does. */
export const REGISTRY_BUS = Symbol('RegistryBus');
/** Names the cursor of the relay: another name would publish the log from its start. */
export const RELAY_CONSUMER = 'registry-relay';

/**
 * Publishes the log to the bus in log order; one replica at a time does. The cursor moves after the bus has accepted the
 * events, so each of them is published at least once.
 */
@Injectable()
export class RegistryRelay {
  readonly #reader: LogReader | null;
  /** An outage is logged once. */
  #failing = false;

  constructor(
    @Inject(REGISTRY_BUS) bus: MessageBus | null,
    @Inject(REGISTRY_POOL) pool: Pool,
    private readonly messages: RegistryMessages,
    private readonly logger: RegistryLogger,
  ) {
    if (bus === null) {
      this.#reader = null;
      return;
    }
    this.#reader = new LogReader({
      pool,
      schema: REGISTRY_SCHEMA,
      consumer: RELAY_CONSUMER,
      handle: (events) => this.#publish(bus, events),
      onError: (error) => this.#failed(error),
    });
  }

  start(): void {
    this.#reader?.start();
  }

  /** Events got their numbers. */
  nudge(): void {
    this.#reader?.nudge();
  }

  async stop(): Promise<void> {
    await this.#reader?.stop();
  }

  async #publish(bus: MessageBus, events: readonly SequencedEvent[]): Promise<void> {
    await bus.publish(REGISTRY_EVENTS_TOPIC, await this.messages.of(events));
    this.#failing = false;
  }

  #failed(error: unknown): void {
    if (!this.#failing) this.logger.error('events of the registry were not published: it is tried again', error);
    this.#failing = true;
  }
}
