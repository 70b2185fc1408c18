import type { Kafka, Message, PartitionMetadata, TopicMessages } from 'kafkajs';
import { keyPartitioner } from './key-partitioner.js';
import type { OutgoingRecord } from './message-record.js';

/** Finds the partition of each record by its key, as every Kafka client does. Asks a broker once per topic. */
export class TopicPartitions {
  readonly #known = new Map<string, PartitionMetadata[]>();
  readonly #partitionOf = keyPartitioner();

  constructor(private readonly kafka: Kafka) {}

  /** Evicts the topics: partitions may have been added, leaders may have moved. */
  evict(): void {
    this.#known.clear();
  }

  /** Groups the records by partition, in order. Fails while no broker describes the topic. */
  async group(records: readonly OutgoingRecord[]): Promise<TopicMessages[]> {
    await this.#learn([...new Set(records.map(({ topic }) => topic))].filter((topic) => !this.#known.has(topic)));
    const groups = new Map<string, TopicMessages & { messages: Message[] }>();
    for (const { topic, key, value, headers } of records) {
      const partitionMetadata = this.#known.get(topic) ?? [];
      const partition = this.#partitionOf({ topic, partitionMetadata, message: { key, value } });
      const name = `${partition} ${topic}`;
      const group = groups.get(name) ?? { topic, messages: [] };
      groups.set(name, group);
      group.messages.push({ key, value, headers, partition });
    }
    return [...groups.values()];
  }

  async #learn(topics: readonly string[]): Promise<void> {
    if (topics.length === 0) return;
    const admin = this.kafka.admin();
    try {
      await admin.connect();
      const found = await admin.fetchTopicMetadata({ topics: [...topics] });
      for (const { name, partitions } of found.topics) this.#known.set(name, partitions);
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }
}
