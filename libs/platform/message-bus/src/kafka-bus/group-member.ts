import { setTimeout as delay } from 'node:timers/promises';
import type { ConsumerGroupJoinEvent, EachBatchPayload, Kafka } from 'kafkajs';
import { OffsetCommitter } from './offset-committer.js';
import { PartitionLane, type WorkBatch } from './partition-lane.js';
import type { PatchedConsumer } from './patched-client.js';
import { withinMs } from './time-limit.js';

interface MembershipOptions {
  readonly topic: string;
  readonly groupId: string;
  readonly batchSize: number;
  readonly sessionTimeoutMs: number;
  readonly commitIntervalMs: number;
  /** Returns how long messages may wait to fill a batch. */
  readonly batchWaitMs: () => number;
  /** Offsets to start from instead of the group's committed ones; nothing is committed then. */
  readonly positions?: Map<number, bigint>;
  /** Id of the previous member, which has not left the group. */
  readonly formerId?: string;
  /** Work in flight of this process's earlier members. */
  readonly inHand: Map<number, Promise<void>>;
}

export interface MemberHooks {
  onJoined(): void;
  /** The member is lost and must be replaced. */
  onLost(error: unknown): void;
  work(partition: number, ...batch: Parameters<WorkBatch>): Promise<boolean>;
}

/**
 * Bounds one fetch. It does not affect latency, because brokers answer as soon as there is data; a resumed partition
 * waits for it.
 */
const FETCH_WAIT_MS = 250;
const FETCH_PARTITION_BYTES = 1024 * 1024;
const FETCH_BYTES = 8 * 1024 * 1024;
/**
 * Minimum interval between fetch rounds. Otherwise a producer of many small batches causes one round per batch, and a
 * round costs more than its messages. Messages after a pause arrive at once all the same.
 */
const ROUND_MS = 5;
/** How often `batchWaitMs` is read again while messages wait. */
const WAIT_CHECK_INTERVAL_MS = 10;
/** Maximum partitions of one round handled in parallel: they share its pause. */
const SIDE_BY_SIDE = 32;
const REBALANCE_WITHIN_MS = 10_000;
/** For the last commit and for leaving together. What is not committed is delivered again. */
const LEAVE_WITHIN_MS = 2_500;
/** For a lost member: starting the next one is more urgent than leaving. */
const LET_GO_WITHIN_MS = 2_000;
const WATCH_MS = 1_000;

/**
 * One membership in a consumer group, from join to leave. It never repairs itself: the client restarts nothing, and
 * every failure ends in `onLost`. Each partition's batches go into a lane; the client's loop only fetches and sends
 * heartbeats.
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

  /** Resolves when the client's loop runs; `onJoined` reports when the group was joined. */
  async start(): Promise<void> {
    this.#starting = this.#start();
    await this.#starting;
  }

  async #start(): Promise<void> {
    const { topic, positions } = this.#options;
    const { GROUP_JOIN, CRASH, HEARTBEAT, REQUEST_TIMEOUT } = this.#consumer.events;
    this.#consumer.on(GROUP_JOIN, ({ payload }) => this.#joined(payload));
    this.#consumer.on(CRASH, ({ payload }) => this.#lose(payload.error));
    // The client would retry the same broker four times; new connections go to another broker.
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

  /** Waits for work in flight, commits it and leaves the group. */
  async close(): Promise<void> {
    this.#closing = true;
    // Meanwhile heartbeats continue, and partitions may move to others.
    await Promise.all([...this.#lanes.values()].map(async (lane) => await lane.finish()));
    const deadline = Date.now() + LEAVE_WITHIN_MS;
    // A lost member does not know who owns its partitions now.
    if (!this.#lost) await settledBy(deadline, this.#committer.close());
    this.#committer.abandon();
    await this.#end(deadline);
  }

  /**
   * After `onLost`: leaves the work in flight for the next member to wait for, and returns the id to continue under.
   */
  async abandon(): Promise<string | undefined> {
    const id = this.#consumer.handOver() ?? undefined;
    for (const [partition, lane] of this.#lanes) void this.#dropLane(partition, lane);
    this.#committer.abandon();
    await this.#end(Date.now() + LET_GO_WITHIN_MS);
    return id;
  }

  async #end(deadline: number): Promise<void> {
    this.#lost = true;
    const started = this.#starting.catch(() => undefined);
    await settledBy(deadline, started);
    clearInterval(this.#watch);
    await settledBy(deadline, this.#consumer.disconnect());
    // If the client is stopped while joining, it continues once it has joined.
    void started.then(async () => await this.#consumer.disconnect()).catch(() => undefined);
  }

  #joined({ memberId, memberAssignment }: ConsumerGroupJoinEvent['payload']): void {
    if (this.#lost) return;
    this.#lastSign = Date.now();
    if (this.#memberId !== undefined && this.#memberId !== memberId) {
      // Others may have owned our partitions meanwhile; records fetched before and after cannot be told apart.
      this.#lose(new Error('the group had expired this member'));
      return;
    }
    this.#memberId = memberId;
    const { topic, positions } = this.#options;
    const assigned = new Set(memberAssignment[topic] ?? []);
    for (const [partition, lane] of this.#lanes) {
      if (!assigned.has(partition)) void this.#dropLane(partition, lane);
    }
    for (const partition of assigned) {
      // The client would go back to the committed offset; the seek also drops records fetched in the previous
      // generation.
      const next = this.#lanes.get(partition)?.next ?? positions?.get(partition);
      if (next !== undefined) this.#consumer.seek({ topic, partition, offset: String(next) });
    }
    this.#hooks.onJoined();
  }

  #take({ batch, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale, pause }: EachBatchPayload): void {
    if (this.#lost || !isRunning() || isStale()) return;
    if (this.#closing) {
      // Otherwise the unresolved batch would be fetched again in a loop.
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

  /** A full batch is followed by the next round at once: there are enough messages. */
  async #pauseBetweenRounds(): Promise<void> {
    const { batchSize, batchWaitMs } = this.#options;
    const began = performance.now();
    await delay(ROUND_MS);
    while (!this.#closing && !this.#lost && this.#takenInRound < batchSize) {
      const left = batchWaitMs() - (performance.now() - began);
      if (left <= 0) break;
      await delay(Math.min(left, WAIT_CHECK_INTERVAL_MS));
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
    this.#committer.remove(partition);
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
    // With an argument the client sends the request itself and returns the broker's error; otherwise it asks an old
    // coordinator for ever.
    await this.#commit({ topics: [{ topic: this.#options.topic, partitions }] });
    this.#lastSign = Date.now();
  }

  /** A coordinator that hangs keeps its connection: nothing fails, but heartbeats stop. */
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

async function settledBy(deadline: number, work: Promise<unknown>): Promise<void> {
  await withinMs(deadline - Date.now(), work, () => new Error('too late')).catch(() => undefined);
}
