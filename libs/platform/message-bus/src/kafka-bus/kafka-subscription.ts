import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import type { BusSubscription } from '../bus/message-bus.js';
import { BROKERS } from './broker-probe.js';
import { hasType, reasonOf, refusalOf, type BusRefusedError } from './bus-failures.js';
import type { HealthOfParts } from './bus-health.js';
import { GroupMember } from './group-member.js';
import type { KafkaBusSettings } from './kafka-bus-options.js';
import { silent } from './kafka-bus-options.js';
import type { WorkBatch } from './partition-lane.js';

export interface SubscriptionPlace {
  readonly topic: string;
  readonly group: string;
  readonly everyProcess: boolean;
  readonly gatherMs?: () => number;
}

/** Handles a batch of one partition. */
export type WorkPartition = (partition: number, ...batch: Parameters<WorkBatch>) => Promise<boolean>;

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

export interface SubscriptionCounters {
  /** Number of replaced members. */
  newMembers: number;
}

/**
 * A subscription while it is open: a sequence of group members. When one is lost (client crash, a coordinator that
 * hangs, a group that has forgotten it), the next one starts at the committed offsets.
 */
export class KafkaSubscription implements BusSubscription {
  readonly #inHand = new Map<number, Promise<void>>();
  /** Only for `everyProcess`: the offsets reached, because nothing is committed. */
  readonly #positions: Map<number, bigint> | undefined;
  readonly #part: string;
  readonly #closed = new AbortController();
  #member: GroupMember | undefined;
  #formerId: string | undefined;
  #running: Promise<void> | undefined;
  #joinedOnce: () => void = () => undefined;
  #refusedFirst: (refusal: BusRefusedError) => void = () => undefined;

  constructor(
    private readonly kafka: Kafka,
    private readonly place: SubscriptionPlace,
    private readonly settings: KafkaBusSettings,
    private readonly health: HealthOfParts,
    private readonly work: WorkPartition,
  ) {
    this.#positions = place.everyProcess ? new Map() : undefined;
    this.#part = `reading ${place.topic} as ${place.group}`;
  }

  readonly counters: SubscriptionCounters = { newMembers: 0 };

  /**
   * Resolves when the group was joined. After the start patience (none if the brokers are known to be away) it resolves
   * and continues joining in the background. Rejects if the brokers refuse this process.
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
    await this.#member?.close();
    await this.#running;
    await Promise.all(this.#inHand.values());
    this.health.report(this.#part, null);
  }

  async #run(): Promise<void> {
    const log = this.settings.log ?? silent;
    const { topic, group, everyProcess } = this.place;
    let pause = FIRST_PAUSE_MS;
    while (!this.#closed.signal.aborted) {
      let joined = false;
      const error = await this.#oneMember(() => (joined = true));
      if (this.#closed.signal.aborted) return;
      this.counters.newMembers++;
      this.#tell(error);
      // During an outage one line is enough.
      log(joined || pause === FIRST_PAUSE_MS ? 'warn' : 'debug', 'a consumer is replaced', {
        topic,
        group,
        everyProcess,
        reason: reasonOf(error),
      });
      if (joined) pause = FIRST_PAUSE_MS;
      await delay(pause, undefined, { signal: this.#closed.signal }).catch(() => undefined);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }

  /** Resolves with the reason why the member ended, or undefined if the subscription was closed. */
  async #oneMember(onJoined: () => void): Promise<unknown> {
    const ended = Promise.withResolvers<unknown>();
    this.#closed.signal.addEventListener('abort', () => ended.resolve(undefined), { once: true });
    const { topic, group, gatherMs } = this.place;
    const member = new GroupMember(
      this.kafka,
      {
        topic,
        // A separate group for each member: none must wait until the broker expires the previous one.
        groupId: this.#positions ? `${group}.${randomUUID()}` : group,
        batchSize: this.settings.batchSize,
        sessionTimeoutMs: this.settings.sessionTimeoutMs,
        commitIntervalMs: this.settings.commitIntervalMs,
        gatherMs: gatherMs ?? (() => 0),
        positions: this.#positions,
        formerId: this.#positions ? undefined : this.#formerId,
        inHand: this.#inHand,
      },
      {
        work: this.work,
        onLost: (error) => ended.resolve(error),
        onJoined: () => {
          onJoined();
          this.health.report(this.#part, null);
          this.#joinedOnce();
        },
      },
    );
    try {
      await this.#findStart();
      if (this.#closed.signal.aborted) return undefined;
      this.#member = member;
      await member.start();
    } catch (error) {
      ended.resolve(error);
    }
    const error = await ended.promise;
    if (!this.#closed.signal.aborted) this.#formerId = await member.abandon();
    return error;
  }

  /** `everyProcess` starts at the topic's current end; the client would use the end at its first fetch. */
  async #findStart(): Promise<void> {
    if (!this.#positions || this.#positions.size > 0) return;
    const admin = this.kafka.admin();
    try {
      await admin.connect();
      for (const { partition, high } of await admin.fetchTopicOffsets(this.place.topic)) {
        this.#positions.set(partition, BigInt(high));
      }
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }

  #tell(error: unknown): void {
    const refusal = refusalOf(error);
    if (refusal) this.#refusedFirst(refusal);
    const missing = hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION');
    const why = missing ? `the topic ${this.place.topic} does not exist` : reasonOf(refusal ?? error);
    this.health.report(this.#part, `${this.#part}: ${why}`);
  }
}
