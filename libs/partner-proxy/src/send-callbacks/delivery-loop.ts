import { Injectable } from '@nestjs/common';
import { ProxyLogger } from '../proxy-logger.js';
import { Deliveries } from './deliveries.js';
import type { ClaimedDelivery } from './delivery-rows.sql.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { ATTEMPT_MS } from './delivery-sender.js';

const MAX_UNDER_WAY = 64;
/** Of one claim. An account with this many attempts under way gets no more: slow receivers of one hold up no other. */
const MAX_OF_ACCOUNT = 8;
/** Beyond an attempt and the statements around it. */
const LEASE_MS = 3 * ATTEMPT_MS;
/** How often deliveries are looked for that another process left, or that an operator made due again. */
const LOOK_MS = 5_000;
/** After a failed statement. */
const FAULT_MS = 5_000;
/** Clocks of timers and of the database differ. */
const MIN_SLEEP_MS = 20;
const MAX_SLEEP_MS = 3_600_000;

/**
 * Delivers what is due, and sleeps until the next delivery is due. `look` wakes it when a change was committed.
 */
@Injectable()
export class DeliveryLoop {
  readonly #underWay = new Map<Promise<void>, string>();
  #looks: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #asked = false;
  #stopped = false;

  constructor(
    private readonly deliveries: Deliveries,
    private readonly attempts: DeliveryAttempts,
    private readonly logger: ProxyLogger,
  ) {}

  start(): void {
    this.#looks = setInterval(() => this.look(), LOOK_MS).unref();
    this.look();
  }

  look(): void {
    if (this.#stopped) return;
    this.#asked = true;
    this.#running ??= this.#work().finally(() => {
      this.#running = null;
    });
  }

  /** Attempts under way come to their end, which their time limit bounds. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#looks);
    clearTimeout(this.#timer);
    await this.#running;
    await Promise.all(this.#underWay.keys());
  }

  async #work(): Promise<void> {
    while (this.#asked && !this.#stopped) {
      this.#asked = false;
      clearTimeout(this.#timer);
      try {
        while (!this.#stopped && (await this.#claim())) continue;
        if (!this.#asked) this.#sleep(await this.deliveries.untilNext(this.#busyAccounts()));
      } catch (error) {
        this.logger.error('the query for due deliveries failed, and is tried again', error);
        this.#sleep(FAULT_MS);
      }
    }
  }

  /** True: there may be more. */
  async #claim(): Promise<boolean> {
    const free = Math.min(MAX_UNDER_WAY - this.#underWay.size, MAX_OF_ACCOUNT);
    if (free <= 0) return false;
    const claimed = await this.deliveries.claim(free, this.#busyAccounts(), LEASE_MS);
    for (const delivery of claimed) this.#begin(delivery);
    return claimed.length > 0;
  }

  #begin(delivery: ClaimedDelivery): void {
    const attempt = this.#attempt(delivery).catch((error: unknown) => {
      this.logger.error('an attempt of a delivery was not noted: it is made again', error);
    });
    this.#underWay.set(attempt, delivery.accountId);
    void attempt.then(() => {
      this.#underWay.delete(attempt);
      // A place is free.
      this.look();
    });
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    if (this.#stopped) return await this.deliveries.giveBack(delivery);
    await this.attempts.make(delivery);
  }

  #busyAccounts(): readonly string[] {
    const counts = new Map<string, number>();
    for (const account of this.#underWay.values()) counts.set(account, (counts.get(account) ?? 0) + 1);
    return [...counts].flatMap(([account, count]) => (count >= MAX_OF_ACCOUNT ? [account] : []));
  }

  #sleep(ms: number | null): void {
    // When all places are taken, the end of an attempt wakes the loop.
    if (ms === null || this.#stopped || this.#underWay.size >= MAX_UNDER_WAY) return;
    this.#timer = setTimeout(() => this.look(), Math.min(Math.max(ms, MIN_SLEEP_MS), MAX_SLEEP_MS));
    this.#timer.unref();
  }
}
