import { Logger } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { ASSET_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { MessageBus } from '@heddle/platform-message-bus';
import type { AssetsDatabase } from '../assets-database/assets-database.js';
import type { AssetsMetrics } from '../assets-metrics.js';
import type { AssetsSettings } from '../settings.js';
import { failpoint } from '@heddle/platform-database';
import { SingletonTask } from '../run-alone/singleton-task.js';
import { ServiceLease } from '../run-alone/service-lease.js';
import { assetMessage } from './asset-message.js';
import { END_EVENTS, NEXT_EVENTS } from './outbox.sql.js';
import type { OutboxRow } from './outbox.sql.js';

/** A round costs two statements; this limits how many rounds run. */
const BATCH_MS = 20;

/**
 * Publishes the outbox to the bus, in order and at least once: an event leaves the table after the bus has accepted it.
 * One process relays at a time: at once what its own service commits, and what others commit at each poll. One that was
 * frozen may publish what another has published, under the same ids.
 */
export class EventRelay implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(EventRelay.name);
  readonly #lease: ServiceLease;
  readonly #task: SingletonTask;
  #nudging: NodeJS.Timeout | null = null;

  constructor(
    private readonly bus: MessageBus | null,
    private readonly database: AssetsDatabase,
    private readonly settings: AssetsSettings,
    private readonly metrics: AssetsMetrics,
  ) {
    this.#lease = new ServiceLease(database, 'relay', settings.relayLeaseMs);
    this.#task = new SingletonTask({
      lease: this.#lease,
      step: () => this.step(),
      onError: (error) => this.#logger.error(error),
    });
  }

  onApplicationBootstrap(): void {
    if (this.bus === null || this.settings.relayIntervalMs <= 0) return;
    this.database.onRecorded(() => this.#nudge());
    this.#task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#nudging !== null) clearTimeout(this.#nudging);
    await this.#task.stop();
  }

  /** Takes the lease itself if a test calls it. Returns the milliseconds until there is more to do. */
  async step(): Promise<number> {
    const { relayIntervalMs, relayLeaseMs, relayBatch } = this.settings;
    if (this.bus === null || !(await this.#lease.claim())) return relayIntervalMs;
    const rows = await this.database.query<OutboxRow & { [column: string]: unknown }>(NEXT_EVENTS, [relayBatch]);
    this.metrics.outboxAge(Math.max(0, rows[0]?.age ?? 0));
    if (rows.length === 0) return relayIntervalMs;
    // Frozen since the claim: another process may be publishing these now.
    if (!this.#lease.isHeld) return 0;
    const renewal = setInterval(() => void this.#lease.claim().catch(() => undefined), relayLeaseMs / 3);
    try {
      await this.bus.publish(ASSET_EVENTS_TOPIC, rows.map(assetMessage));
    } finally {
      clearInterval(renewal);
    }
    failpoint('assets.events.published');
    await this.database.query(END_EVENTS, [rows.map((row) => row.id)]);
    this.metrics.published(rows.length);
    return rows.length < relayBatch ? relayIntervalMs : 0;
  }

  /** Commits within a short time are published together. */
  #nudge(): void {
    this.#nudging ??= setTimeout(() => {
      this.#nudging = null;
      this.#task.wake();
    }, BATCH_MS).unref();
  }
}
