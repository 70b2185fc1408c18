import { setTimeout as delay } from 'node:timers/promises';
import type { ConsumerGroupJoinEvent, EachBatchPayload, Kafka } from 'kafkajs';
import { OffsetCommitter } from './offset-committer.js';
import { PartitionLane, type WorkBatch } from './partition-lane.js';
import type { PatchedConsumer } from './patched-client.js';
import { withinMs } from './time-limit.js';

export interface MembershipOptions {
  readonly topic: string;
  readonly groupId: string;
  readonly batchSize: number;
  readonly sessionTimeoutMs: number;
  readonly commitIntervalMs: number;
  /** As long as it says, messages may wait for others. */
  readonly gatherMs: () => number;
  /** Where to go on instead of at the group's committed offsets; nothing is committed then. */
  readonly positions?: Map<number, bigint>;
  /** Under which the member before was in the group and has not left it. */
  readonly formerId?: string;
  /** What earlier members of this process still have in hand. */
  readonly inHand: Map<number, Promise<void>>;
}

export interface MemberHooks {
  onJoined(): void;
  /** The member is of no use any more: another has to take its place. */
  onLost(error: unknown): void;
  work(partition: number, ...batch: Parameters<WorkBatch>): Promise<boolean>;
}

/** Bounds one fetch; latency does not depend on it, as brokers answer as soon as there is something. A resumed partition waits for it. */
const FETCH_WAIT_MS = 250;
const FETCH_PARTITION_BYTES = 1024 * 1024;
const FETCH_BYTES = 8 * 1024 * 1024;
/**
 * Least time from one round of fetching to the next. A producer of many small batches would otherwise be followed by a round for each,
 * and a round costs more than the messages in it; what comes after a pause is there at once all the same.
 */
const ROUND_MS = 5;
/** How soon a subscriber that is in a hurry all of a sudden is noticed. */
const LOOK_MS = 10;
/** Partitions of one round that are taken side by side: they share its pause. */
const SIDE_BY_SIDE = 32;
const REBALANCE_WITHIN_MS = 10_000;
const LEAVE_WITHIN_MS = 3_000;
/** Of a lost member: the next one is more urgent than its leaving. */
const LET_GO_WITHIN_MS = 1_000;
const WATCH_MS = 1_000;

/**
 * One membership in a consumer group, from joining to leaving. It never repairs itself: the client restarts nothing, and whatever is wrong
 * ends in `onLost`. Batches go into lanes, one a partition; the client's loop only fetches and sends heartbeats.
 */
export class GroupMember {
  readonly #consumer: PatchedConsumer;
  readonly #options: MembershipOptions;
  readonly #hooks: MemberHooks;
  readonly #lanes = new Map<number, PartitionLane>();
  readonly #paused = new Map<number, () => void>();
  readonly #committer: OffsetCommitter;
  #commit: EachBatchPayload['commitOffsetsIfNecessary'] | undefined;
  #memberId: string | undefined;
  #lastSign = Date.now();
  #round: Promise<void> | undefined;
  #takenInRound = 0;
  #watch: NodeJS.Timeout | undefined;
  #starting: Promise<void> = Promise.resolve();
  #closing = false;
  #lost = false;

  constructor(kafka: Kafka, options: MembershipOptions, hooks: MemberHooks) {
    this.#options = options;
    this.#hooks = hooks;
    this.#consumer = kafka.consumer({
      groupId: options.groupId,
      memberId: options.formerId ?? null,
      sessionTimeout: options.sessionTimeoutMs,
      heartbeatInterval: Math.floor(options.sessionTimeoutMs / 4),
      rebalanceTimeout: REBALANCE_WITHIN_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytesPerPartition: FETCH_PARTITION_BYTES,
      maxBytes: FETCH_BYTES,
      allowAutoTopicCreation: false,
      retry: { restartOnFailure: async () => await Promise.resolve(false) },
    }) as PatchedConsumer;
    this.#committer = new OffsetCommitter(
      async (offsets) => await this.#commitNow(offsets),
      options.commitIntervalMs,
      2 * options.sessionTimeoutMs,
      (error) => this.#lose(error),
    );
  }

  /** Resolves when the client's loop runs; whether the group was joined tells `onJoined`. */
  async start(): Promise<void> {
    this.#starting = this.#start();
    await this.#starting;
  }

  async #start(): Promise<void> {
    const { topic, positions } = this.#options;
    const { GROUP_JOIN, CRASH, HEARTBEAT, REQUEST_TIMEOUT } = this.#consumer.events;
    this.#consumer.on(GROUP_JOIN, ({ payload }) => this.#joined(payload));
    this.#consumer.on(CRASH, ({ payload }) => this.#lose(payload.error));
    // The client would ask the same broker again, four times; new connections begin at another.
    this.#consumer.on(REQUEST_TIMEOUT, ({ payload }) =>
      this.#lose(new Error(`${payload.broker} does not answer ${payload.apiName}`)),
    );
    this.#consumer.on(HEARTBEAT, () => (this.#lastSign = Date.now()));
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topic, fromBeginning: positions === undefined });
    if (this.#lost) return;
    this.#lastSign = Date.now();
    this.#watch = setInterval(() => this.#checkSigns(), WATCH_MS);
    await this.#consumer.run({
      partitionsConsumedConcurrently: SIDE_BY_SIDE,
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: async (payload) => {
        this.#take(payload);
        await this.#endOfRound();
      },
    });
  }

  /** Waits for what is in hand, commits it and leaves the group. */
  async close(): Promise<void> {
    this.#closing = true;
    // Heartbeats go on meanwhile, and so does losing partitions to others.
    await Promise.all([...this.#lanes.values()].map(async (lane) => await lane.finish()));
    // A lost member cannot know any more whose its partitions are.
    if (this.#lost) this.#committer.abandon();
    else await this.#committer.close();
    await this.#end(LEAVE_WITHIN_MS);
  }

  /** After `onLost`: leaves what is in hand behind, for the next member to wait for, and answers the id to go on under. */
  async abandon(): Promise<string | undefined> {
    const id = this.#consumer.handOver() ?? undefined;
    for (const [partition, lane] of this.#lanes) void this.#dropLane(partition, lane);
    this.#committer.abandon();
    await this.#end(LET_GO_WITHIN_MS);
    return id;
  }

  async #end(limitMs: number): Promise<void> {
    this.#lost = true;
    const started = this.#starting.catch(() => undefined);
    await settled(limitMs, started);
    clearInterval(this.#watch);
    await settled(limitMs, this.#consumer.disconnect());
    // A client that is told to stop while it joins goes on as soon as it has joined.
    void started.then(async () => await this.#consumer.disconnect()).catch(() => undefined);
  }

  #joined({ memberId, memberAssignment }: ConsumerGroupJoinEvent['payload']): void {
    if (this.#lost) return;
    this.#lastSign = Date.now();
    if (this.#memberId !== undefined && this.#memberId !== memberId) {
      // Meanwhile others may have had our partitions; what the client has fetched before and after cannot be told apart.
      this.#lose(new Error('the group had taken this member for dead'));
      return;
    }
    this.#memberId = memberId;
    const { topic, positions } = this.#options;
    const assigned = new Set(memberAssignment[topic] ?? []);
    for (const [partition, lane] of this.#lanes) {
      if (!assigned.has(partition)) void this.#dropLane(partition, lane);
    }
    for (const partition of assigned) {
      // The client would go back to the committed offset; seeking also keeps out what it has fetched for the last generation.
      const next = this.#lanes.get(partition)?.next ?? positions?.get(partition);
      if (next !== undefined) this.#consumer.seek({ topic, partition, offset: String(next) });
    }
    this.#hooks.onJoined();
  }

  #take({ batch, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale, pause }: EachBatchPayload): void {
    if (this.#lost || !isRunning() || isStale()) return;
    if (this.#closing) {
      // Unresolved it would be fetched again at once, and again.
      pause();
      return;
    }
    this.#commit = commitOffsetsIfNecessary;
    const { partition } = batch;
    const lane = this.#lanes.get(partition) ?? this.#newLane(partition);
    const next = BigInt(batch.lastOffset()) + 1n;
    lane.add(batch.messages, next);
    this.#takenInRound += batch.messages.length;
    resolveOffset(batch.lastOffset());
    if (lane.isFull && !this.#paused.has(partition)) this.#paused.set(partition, pause());
  }

  async #endOfRound(): Promise<void> {
    this.#round ??= this.#pauseBetweenRounds().finally(() => (this.#round = undefined));
    await this.#round;
  }

  /** A round that brought a whole batch is followed by the next one as soon as may be: there is more, and enough of it. */
  async #pauseBetweenRounds(): Promise<void> {
    const { batchSize, gatherMs } = this.#options;
    const began = performance.now();
    await delay(ROUND_MS);
    while (!this.#closing && !this.#lost && this.#takenInRound < batchSize) {
      const left = gatherMs() - (performance.now() - began);
      if (left <= 0) break;
      await delay(Math.min(left, LOOK_MS));
    }
    this.#takenInRound = 0;
  }

  #newLane(partition: number): PartitionLane {
    const lane = new PartitionLane(
      async (batch, isDropped) => await this.#hooks.work(partition, batch, isDropped),
      this.#options.batchSize,
      {
        onHandled: (next) => {
          if (this.#options.positions) this.#options.positions.set(partition, next);
          else this.#committer.handled(partition, next);
        },
        onRoom: () => this.#resume(partition),
        onBroken: (error) => this.#lose(error),
      },
      this.#options.inHand.get(partition) ?? Promise.resolve(),
    );
    this.#lanes.set(partition, lane);
    return lane;
  }

  async #dropLane(partition: number, lane: PartitionLane): Promise<void> {
    const { inHand } = this.#options;
    if (this.#lanes.get(partition) === lane) this.#lanes.delete(partition);
    this.#committer.forget(partition);
    if (!this.#lost) this.#resume(partition);
    const done = lane.drop();
    inHand.set(partition, done);
    await done;
    if (inHand.get(partition) === done) inHand.delete(partition);
  }

  #resume(partition: number): void {
    this.#paused.get(partition)?.();
    this.#paused.delete(partition);
  }

  async #commitNow(offsets: ReadonlyMap<number, bigint>): Promise<void> {
    if (!this.#commit) return;
    const partitions = [...offsets].map(([partition, next]) => ({ partition, offset: String(next) }));
    // With an argument it sends the request itself and tells the broker's error; the client's other ways ask an old coordinator for ever.
    await this.#commit({ topics: [{ topic: this.#options.topic, partitions }] });
    this.#lastSign = Date.now();
  }

  /** A coordinator that hangs keeps its connection: nothing fails, only the signs of life stay away. */
  #checkSigns(): void {
    const silentMs = Date.now() - this.#lastSign;
    const limitMs = Math.max(2 * this.#options.sessionTimeoutMs, REBALANCE_WITHIN_MS + 5_000);
    if (silentMs > limitMs)
      this.#lose(new Error(`no sign of life from the brokers for ${Math.round(silentMs / 1000)} s`));
  }

  #lose(error: unknown): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#hooks.onLost(error);
  }
}

async function settled(limitMs: number, work: Promise<unknown>): Promise<void> {
  await withinMs(limitMs, work, () => new Error('too late')).catch(() => undefined);
}
