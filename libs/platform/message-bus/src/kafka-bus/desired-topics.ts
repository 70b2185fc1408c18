import { deadLetterTopic } from './dead-letter-record.js';

/** Required properties of a topic. */
export interface DesiredTopic {
  readonly name: string;
  /** Exact: another number moves keys to other partitions. */
  readonly partitions: number;
  /** Minimum. */
  readonly replicas: number;
  /** Retention; set when the topic is created, not compared afterwards. */
  readonly retentionMs: number;
}

/** A topic as the brokers describe it; undefined if it does not exist. */
export interface FoundTopic {
  readonly partitions: number;
  /** Of the partition with the fewest. */
  readonly replicas: number;
}

/** Topics have another number of partitions or too few replicas; the message lists them all. */
export class TopicsUnsuitableError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Kafka topics do not match the settings: ${problems.join('; ')}.`);
    this.name = 'TopicsUnsuitableError';
  }
}

/** Dead letters are few and read by people: one partition is enough, and they are kept longer. */
const DEAD_LETTER_PARTITIONS = 1;
const DEAD_LETTER_RETENTIONS = 4;

/** The topics with their dead-letter topics. */
export function withDeadLetters(desired: readonly DesiredTopic[]): DesiredTopic[] {
  return desired.flatMap((topic) => [
    topic,
    {
      name: deadLetterTopic(topic.name),
      partitions: DEAD_LETTER_PARTITIONS,
      replicas: topic.replicas,
      retentionMs: DEAD_LETTER_RETENTIONS * topic.retentionMs,
    },
  ]);
}

/** One sentence for each existing topic that does not match. */
export function problemsOf(desired: readonly DesiredTopic[], found: ReadonlyMap<string, FoundTopic>): string[] {
  return desired.flatMap(({ name, partitions, replicas }) => {
    const topic = found.get(name);
    if (!topic) return [];
    const problems: string[] = [];
    if (topic.partitions !== partitions)
      problems.push(`${name} has ${topic.partitions} partitions instead of ${partitions}`);
    if (topic.replicas < replicas)
      problems.push(`${name} has ${topic.replicas} replicas, fewer than the required ${replicas}`);
    return problems;
  });
}
