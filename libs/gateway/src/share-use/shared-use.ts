import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { ACCOUNT_USE_PORT, MAX_SETTLED_ACCOUNTS, newUuid } from '@heddle/contracts-messages';
import type { AccountUsePort, ReportedUse } from '@heddle/contracts-messages';
import { ReadLimit } from '../limit-job-reads/read-limit.js';
import { StreamSlots } from '../stream-job-events/stream-slots.js';

/** Interval of reports. Between two reports a gateway spends its last share; a shorter interval shares more exactly. */
const REPORT_MS = 250;
/** Delay of a report of streams, or of an account whose standing is unknown: until the answer, it has an equal share. */
const FIRST_REPORT_MS = 20;
/** Interval at which open streams are reported again: the streams of a gateway that no longer reports are not counted. */
const ALIVE_MS = 1_000;

/**
 * Reports what this gateway lets through, and learns what the others did, so that together they enforce the limits of an
 * account (docs/decisions/0040). No request waits for it: while reports fail, each gateway goes on with its last share.
 */
@Injectable()
export class SharedUse implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger(SharedUse.name);
  readonly #id = newUuid();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #aliveAt = 0;
  #round: Promise<void> | null = null;
  /** Something was used while a report was under way. */
  #again = false;
  #failed = false;
  #stopped = false;

  constructor(
    @Optional() @Inject(ACCOUNT_USE_PORT) private readonly port: AccountUsePort | null,
    private readonly reads: ReadLimit,
    private readonly streams: StreamSlots,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.port) return;
    this.reads.share((isNew) => this.#within(isNew ? FIRST_REPORT_MS : REPORT_MS));
    this.streams.share(() => this.#within(FIRST_REPORT_MS));
    // Before the first request, so that the share of this gateway is known.
    await this.#report(this.port);
    this.#within(ALIVE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
    await this.port?.leave(this.#id).catch(() => undefined);
  }

  #within(ms: number): void {
    const dueAt = performance.now() + ms;
    this.#again ||= this.#round !== null;
    if (this.#stopped || this.#round !== null || dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#turn(), ms);
    this.#timer.unref();
  }

  #turn(): void {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#round = this.#report(this.port!).finally(() => {
      this.#round = null;
      this.#within(this.#again ? REPORT_MS : ALIVE_MS);
      this.#again = false;
    });
  }

  async #report(port: AccountUsePort): Promise<void> {
    const isAlive = performance.now() >= this.#aliveAt;
    if (isAlive) this.#aliveAt = performance.now() + ALIVE_MS;
    const uses = this.#uses(isAlive);
    try {
      for (let at = 0; at === 0 || at < uses.length; at += MAX_SETTLED_ACCOUNTS) {
        const { gateways, accounts } = await port.settle(this.#id, uses.slice(at, at + MAX_SETTLED_ACCOUNTS));
        this.reads.settled(gateways, accounts);
        this.streams.settled(gateways, accounts);
      }
      this.#failed = false;
    } catch (error) {
      // The first failure of a row is reported; the next ones are the same outage.
      if (!this.#failed) this.#logger.warn({ message: 'the use of accounts was not shared', reason: String(error) });
      this.#failed = true;
    }
  }

  #uses(isAlive: boolean): readonly ReportedUse[] {
    const reads = this.reads.report();
    const streams = this.streams.report(isAlive);
    return [...new Set([...reads.keys(), ...streams.keys()])].map((accountId) => ({
      accountId,
      reads: reads.get(accountId) ?? null,
      streams: streams.get(accountId) ?? this.streams.openOf(accountId),
    }));
  }
}
