import { setTimeout as delay } from 'node:timers/promises';
import type { Admin, ITopicConfig } from 'kafkajs';
import { BusUnreachableError, hasType, reasonOf, refusalOf } from './bus-failures.js';
import { kafkaClient } from './kafka-client.js';
import type { KafkaConnectionOptions } from './kafka-bus-options.js';
import { BusClosedError } from '../bus/message-bus.js';
import { untilAborted } from './time-limit.js';
import {
  problemsOf,
  TopicsUnsuitableError,
  withDeadLetters,
  type FoundTopic,
  type DesiredTopic,
} from './desired-topics.js';

interface TopicOptions {
  /** How long to wait for the brokers; default 30,000. */
  readonly withinMs?: number;
  /** Message size that the topics must accept, see `KafkaBusOptions`; default 2 MiB. */
  readonly maxMessageBytes?: number;
}

const WITHIN_MS = 30_000;
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;
/** For the extra headers of a dead letter and the framing of a batch. */
const HEADROOM_BYTES = 64 * 1024;
const PAUSE_MS = 250;

/**
 * Creates missing topics, each with its dead-letter topic; never changes existing ones. Fails with
 * `TopicsUnsuitableError` if an existing topic has another number of partitions or too few replicas, with
 * `BusRefusedError`, and with `BusUnreachableError` after the time limit.
 */
export async function ensureTopics(
  connection: KafkaConnectionOptions,
  desired: readonly DesiredTopic[],
  options: TopicOptions = {},
): Promise<void> {
  const maxBytes = (options.maxMessageBytes ?? MAX_MESSAGE_BYTES) + HEADROOM_BYTES;
  await withAdmin(connection, options, async (admin) => {
    const all = withDeadLetters(desired);
    const known = new Set(await admin.listTopics());
    const missing = all.filter(({ name }) => !known.has(name));
    if (missing.length > 0) {
      const topics = missing.map((topic) => configOf(topic, maxBytes));
      await admin.createTopics({ topics, waitForLeaders: true }).catch((error: unknown) => {
        // Another process created some of them at the same time.
        if (!hasType(error, 'TOPIC_ALREADY_EXISTS')) throw error;
      });
    }
    const there = await found(admin, all);
    // Brokers learn of a new topic one after the other, and any of them may be asked.
    if (missing.some(({ name }) => !there.has(name))) throw new Error('a new topic is not visible yet');
    refuse(problemsOf(all, there));
  });
}

/**
 * Checked by services at start: the same refusals as `ensureTopics`, but nothing is created. Resolves with the missing
 * topics.
 */
export async function checkTopics(
  connection: KafkaConnectionOptions,
  desired: readonly DesiredTopic[],
  options: TopicOptions = {},
): Promise<readonly string[]> {
  let missing: readonly string[] = [];
  const looked = withAdmin(connection, options, async (admin) => {
    const all = withDeadLetters(desired);
    const there = await found(admin, all);
    missing = all.map(({ name }) => name).filter((name) => !there.has(name));
    refuse(problemsOf(all, there));
  });
  await untilAborted(connection.signal, looked, () => new BusClosedError());
  return missing;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new TopicsUnsuitableError(problems);
}

function configOf({ name, partitions, replicas, retentionMs }: DesiredTopic, maxBytes: number): ITopicConfig {
  return {
    topic: name,
    numPartitions: partitions,
    replicationFactor: replicas,
    configEntries: [
      { name: 'retention.ms', value: String(retentionMs) },
      { name: 'max.message.bytes', value: String(maxBytes) },
      { name: 'min.insync.replicas', value: String(replicas >= 3 ? 2 : 1) },
      { name: 'unclean.leader.election.enable', value: 'false' },
      { name: 'cleanup.policy', value: 'delete' },
    ],
  };
}

async function found(admin: Admin, desired: readonly DesiredTopic[]): Promise<Map<string, FoundTopic>> {
  const known = new Set(await admin.listTopics());
  const topics = desired.map(({ name }) => name).filter((name) => known.has(name));
  if (topics.length === 0) return new Map();
  const metadata = await admin.fetchTopicMetadata({ topics });
  return new Map(
    metadata.topics.map(({ name, partitions }) => [
      name,
      { partitions: partitions.length, replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)) },
    ]),
  );
}

async function withAdmin(
  connection: KafkaConnectionOptions,
  { withinMs = WITHIN_MS }: TopicOptions,
  work: (admin: Admin) => Promise<void>,
): Promise<void> {
  const kafka = kafkaClient(connection);
  for (const deadline = Date.now() + withinMs; ; await delay(PAUSE_MS)) {
    const admin = kafka.admin();
    try {
      await admin.connect();
      await work(admin);
      return;
    } catch (error) {
      if (error instanceof TopicsUnsuitableError) throw error;
      const refusal = refusalOf(error);
      if (refusal) throw refusal;
      if (isPermanent(error)) throw error;
      if (connection.signal?.aborted) throw new BusClosedError();
      if (Date.now() > deadline) {
        const where = connection.brokers.join(', ');
        throw new BusUnreachableError(`Kafka at ${where} did not answer in ${withinMs / 1000} s: ${reasonOf(error)}`, {
          cause: error,
        });
      }
    } finally {
      admin.disconnect().catch(() => undefined);
    }
  }
}

/** Waiting does not help, for example if there are fewer brokers than replicas. */
function isPermanent(error: unknown): boolean {
  return hasType(error, 'INVALID_PARTITIONS', 'INVALID_CONFIG', 'INVALID_TOPIC_EXCEPTION', 'POLICY_VIOLATION');
}
