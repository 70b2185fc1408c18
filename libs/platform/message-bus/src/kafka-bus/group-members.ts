import { randomUUID } from 'node:crypto';
import type { Kafka } from 'kafkajs';
import { GroupMember } from './group-member.js';
import type { MemberHooks } from './group-member.js';
import type { KafkaBusSettings } from './kafka-bus-options.js';
import { OpenClient } from './open-client.js';
import type { WorkBatch } from './partition-lane.js';

export interface SubscriptionPlace {
  readonly topic: string;
  readonly group: string;
  readonly everyProcess: boolean;
  readonly batchWaitMs?: () => number;
}

/** Handles a batch of one partition. */
type WorkPartition = (partition: number, ...batch: Parameters<WorkBatch>) => Promise<boolean>;

/** The members of this process in one group, one after the other, and what each leaves to the next. */
export class GroupMembers {
  readonly #inHand = new Map<number, Promise<void>>();
  /** Only for `everyProcess`: the offsets reached, because nothing is committed. */
  readonly #positions: Map<number, bigint> | undefined;
  #latest: GroupMember | undefined;
  #formerId: string | undefined;

  constructor(
    private readonly kafka: Kafka,
    readonly place: SubscriptionPlace,
    private readonly settings: KafkaBusSettings,
    private readonly work: WorkPartition,
  ) {
    this.#positions = place.everyProcess ? new Map() : undefined;
  }

  next(hooks: Omit<MemberHooks, 'work'>): GroupMember {
    const { topic, group, batchWaitMs } = this.place;
    return new GroupMember(
      this.kafka,
      {
        topic,
        // A separate group for each member: none must wait until the broker expires the previous one.
        groupId: this.#positions ? `${group}.${randomUUID()}` : group,
        batchSize: this.settings.batchSize,
        sessionTimeoutMs: this.settings.sessionTimeoutMs,
        commitIntervalMs: this.settings.commitIntervalMs,
        batchWaitMs: batchWaitMs ?? (() => 0),
        positions: this.#positions,
        formerId: this.#positions ? undefined : this.#formerId,
        inHand: this.#inHand,
      },
      { work: this.work, ...hooks },
    );
  }

  /** `everyProcess` starts at the topic's current end; the client would use the end at its first fetch. */
  async findStart(): Promise<void> {
    if (!this.#positions || this.#positions.size > 0) return;
    const admin = new OpenClient(this.kafka.admin());
    try {
      const ends = await admin.use(async (client) => await client.fetchTopicOffsets(this.place.topic));
      for (const { partition, high } of ends) this.#positions.set(partition, BigInt(high));
    } finally {
      await admin.leave();
    }
  }

  async start(member: GroupMember): Promise<void> {
    this.#latest = member;
    await member.start();
  }

  /** Gives a lost member up; the next one follows under its id. */
  async abandon(member: GroupMember): Promise<void> {
    this.#formerId = await member.abandon();
  }

  async closeLatest(): Promise<void> {
    await this.#latest?.close();
  }

  /** Resolves when the batches in hand are worked off. */
  async settled(): Promise<void> {
    await Promise.all(this.#inHand.values());
  }
}
