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

/** Works a batch of a partition off. */
export type WorkPartition = (partition: number, ...batch: Parameters<WorkBatch>) => Promise<boolean>;

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

export interface SubscriptionCounters {
  /** Times that a lost member was replaced. */
  newMembers: number;
}

/**
 * A subscription for as long as it is open: one member of the group after the other. Where one is lost, to a crash of the client, a
 * coordinator that hangs or a group that has forgotten it, the next begins where the group is committed.
 */
export class KafkaSubscription implements BusSubscription {
  readonly #inHand = new Map<number, Promise<void>>();
  /** Of `everyProcess` alone: where this process has got to, as nothing is committed. */
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
   * Resolves when the group was joined, and in the background goes on to join it after the start's patience, which is none where
   * the brokers are known to be away; rejects when they refuse this process.
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
      // Through an outage one line is enough.
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

  /** Resolves with what ended the member, and with undefined when the subscription was closed. */
  async #oneMember(onJoined: () => void): Promise<unknown> {
    const ended = Promise.withResolvers<unknown>();
    this.#closed.signal.addEventListener('abort', () => ended.resolve(undefined), { once: true });
    const { topic, group, gatherMs } = this.place;
    const member = new GroupMember(
      this.kafka,
      {
        topic,
        // A group of its own for each member: nobody has to wait until the broker takes the last one for dead.
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

  /** `everyProcess` begins at the end of the topic as it is now: left to the client, it would be the end at the first fetch. */
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
