// The Kafka bus as a separate entry: processes without brokers do not load the client.
export { KafkaMessageBus } from './kafka-bus/kafka-message-bus.js';
export type { KafkaConnectionOptions } from './kafka-bus/kafka-bus-options.js';
export { BusRefusedError, BusUnreachableError } from './kafka-bus/bus-failures.js';
export { DeadLetterBox } from './kafka-bus/dead-letter-box.js';
export type { KeptLetter } from './kafka-bus/dead-letter-box.js';
export { checkTopics, ensureTopics } from './kafka-bus/ensure-topics.js';
export { TopicsUnsuitableError } from './kafka-bus/desired-topics.js';
export type { DesiredTopic } from './kafka-bus/desired-topics.js';
