import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '@heddle/contracts-messages';
import type { BusSubscription } from '../bus/message-bus.js';
import { BROKERS } from './broker-probe.js';
import { hasType, reasonOf, refusalOf, type BusRefusedError } from './bus-failures.js';
import type { HealthOfParts } from './bus-health.js';
import type { GroupMember } from './group-member.js';
import type { GroupMembers, SubscriptionPlace } from './group-members.js';
import type { KafkaBusSettings } from './kafka-bus-options.js';
import { silent } from './kafka-bus-options.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

interface SubscriptionCounters {
  /** Number of replaced members. */
  newMembers: number;
}

/**
 * A subscription while it is open: a sequence of group members. When one is lost (client crash, a coordinator that
 * hangs, a group that no longer knows it), the next one starts at the committed offsets.
 */
export class KafkaSubscription implements BusSubscription {
  readonly #place: SubscriptionPlace;
  readonly #part: string;
  readonly #closed = new AbortController();
  #running: Promise<void> | undefined;
  #joinedOnce: () => void = () => undefined;
  #refusedFirst: (refusal: BusRefusedError) => void = () => undefined;

  constructor(
    private readonly members: GroupMembers,
    private readonly settings: KafkaBusSettings,
    private readonly health: HealthOfParts,
  ) {
    this.#place = members.place;
    this.#part = `reading ${this.#place.topic} as ${this.#place.group}`;
  }

  readonly counters: SubscriptionCounters = { newMembers: 0 };

  /**
   * Resolves when the group was joined. After the start patience (none if the brokers are known to be unreachable) it
   * resolves and continues joining in the background. Rejects if the brokers refuse this process.
   */
  async open(): Promise<void> {
    const patienceMs = this.health.isWell(BROKERS) ? this.settings.startPatienceMs : 0;
    this.health.report(this.#part, `${this.#part}: not joined yet`);
    const first = new Promise<void>((resolve, reject) => {
      this.#joinedOnce = resolve;
      this.#refusedFirst = reject;
    });
    this.#running = this.#run();
    const joined = new AbortController();
    const stopping = this.settings.signal ?? joined.signal;
    const signal = AbortSignal.any([joined.signal, this.#closed.signal, stopping]);
    const patience = delay(patienceMs, undefined, { signal }).catch(() => undefined);
    try {
      await Promise.race([first, patience]);
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      joined.abort();
    }
  }

  /** Waits for the batches in flight and commits them. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.members.closeLatest();
    await this.#running;
    await this.members.settled();
    this.health.report(this.#part, null);
  }

  async #run(): Promise<void> {
    const log = this.settings.log ?? silent;
    const { topic, group, everyProcess } = this.#place;
    let failures = 0;
    while (!this.#closed.signal.aborted) {
      let joined = false;
      const error = await this.#oneMember(() => (joined = true));
      if (this.#closed.signal.aborted) return;
      this.counters.newMembers++;
      this.#tell(error);
      // During an outage one line is enough.
      log(joined || failures === 0 ? 'warn' : 'debug', 'a consumer is replaced', {
        topic,
        group,
        everyProcess,
        reason: reasonOf(error),
      });
      if (joined) failures = 0;
      const pauseMs = backoffMs(failures++, FIRST_PAUSE_MS, MAX_PAUSE_MS);
      await delay(pauseMs, undefined, { signal: this.#closed.signal }).catch(() => undefined);
    }
  }

  /** Resolves with the reason why the member ended, or undefined if the subscription was closed. */
  async #oneMember(onJoined: () => void): Promise<unknown> {
    const ended = Promise.withResolvers<unknown>();
    this.#closed.signal.addEventListener('abort', () => ended.resolve(undefined), { once: true });
    const member = this.members.next({
      onLost: (error) => ended.resolve(error),
      onJoined: () => {
        onJoined();
        this.health.report(this.#part, null);
        this.#joinedOnce();
      },
    });
    // Not awaited: a broker that does not answer would hold up `close`.
    this.#start(member).catch((error: unknown) => ended.resolve(error));
    const error = await ended.promise;
    if (!this.#closed.signal.aborted) await this.members.abandon(member);
    return error;
  }

  async #start(member: GroupMember): Promise<void> {
    await this.members.findStart();
    if (!this.#closed.signal.aborted) await this.members.start(member);
  }

  #tell(error: unknown): void {
    const refusal = refusalOf(error);
    if (refusal) this.#refusedFirst(refusal);
    const missing = hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION');
    const why = missing
      ? `the topic ${this.#place.topic} does not exist; heddle migrate creates it`
      : reasonOf(refusal ?? error);
    this.health.report(this.#part, `${this.#part}: ${why}`);
  }
}
