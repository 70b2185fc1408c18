import { deadLetterTopic } from './dead-letter-record.js';

/** A topic as it has to be. */
export interface TopicWish {
  readonly name: string;
  /** Exactly: with another number a key changes its partition. */
  readonly partitions: number;
  /** At least. */
  readonly replicas: number;
  /** How long messages are kept; told when the topic is made, not compared afterwards. */
  readonly retentionMs: number;
}

/** A topic as the brokers have it; undefined where it does not exist. */
export interface FoundTopic {
  readonly partitions: number;
  /** Of the partition that has the fewest. */
  readonly replicas: number;
}

/** Topics have another number of partitions, or too few replicas; the message lists every one. */
export class TopicsUnsuitableError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Kafka topics do not match the settings: ${problems.join('; ')}.`);
    this.name = 'TopicsUnsuitableError';
  }
}

/** Dead letters are few and looked at by people: a partition is enough, and they are kept for longer. */
const DEAD_LETTER_PARTITIONS = 1;
const DEAD_LETTER_RETENTIONS = 4;

/** The topics with their dead-letter topics. */
export function withDeadLetters(wishes: readonly TopicWish[]): TopicWish[] {
  return wishes.flatMap((wish) => [
    wish,
    {
      name: deadLetterTopic(wish.name),
      partitions: DEAD_LETTER_PARTITIONS,
      replicas: wish.replicas,
      retentionMs: DEAD_LETTER_RETENTIONS * wish.retentionMs,
    },
  ]);
}

/** One sentence for each topic that is there and not as it has to be. */
export function problemsOf(wishes: readonly TopicWish[], found: ReadonlyMap<string, FoundTopic>): string[] {
  return wishes.flatMap(({ name, partitions, replicas }) => {
    const topic = found.get(name);
    if (!topic) return [];
    const problems: string[] = [];
    if (topic.partitions !== partitions)
      problems.push(`${name} has ${topic.partitions} partitions instead of ${partitions}`);
    if (topic.replicas < replicas) problems.push(`${name} has ${topic.replicas} replicas and needs ${replicas}`);
    return problems;
  });
}
