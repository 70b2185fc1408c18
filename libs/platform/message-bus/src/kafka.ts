// The Kafka bus as a separate entry: processes without brokers do not load the client.
export { KafkaMessageBus } from './kafka-bus/kafka-message-bus.js';
export type { KafkaBusCounters } from './kafka-bus/kafka-message-bus.js';
export type {
  BusLog,
  KafkaBusOptions,
  KafkaConnectionOptions,
  KafkaSasl,
  KafkaTls,
} from './kafka-bus/kafka-bus-options.js';
export type { BusHealth } from './kafka-bus/bus-health.js';
export { BusRefusedError, BusUnreachableError, UnpublishableMessageError } from './kafka-bus/bus-failures.js';
export { DeadLetterBox } from './kafka-bus/dead-letter-box.js';
export type { KeptLetter } from './kafka-bus/dead-letter-box.js';
export { checkTopics, ensureTopics } from './kafka-bus/ensure-topics.js';
export type { TopicOptions } from './kafka-bus/ensure-topics.js';
export { TopicsUnsuitableError } from './kafka-bus/desired-topics.js';
export type { DesiredTopic } from './kafka-bus/desired-topics.js';
export { deadLetterTopic } from './kafka-bus/dead-letter-record.js';
