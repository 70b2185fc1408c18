export { BusClosedError, BusFullError, MESSAGE_BUS } from './bus/message-bus.js';
export type {
  BatchHandler,
  BusMessage,
  BusSubscription,
  DeadLetter,
  DeliveryOptions,
  MessageBus,
  SubscribeOptions,
} from './bus/message-bus.js';
export { MemoryMessageBus } from './memory-bus/memory-message-bus.js';
export type { MemoryBusOptions } from './memory-bus/memory-message-bus.js';
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
export { BusContext, MessageBusStrategy } from './nest-transport/message-bus-strategy.js';
export { MessageFailureFilter } from './nest-transport/message-failure.filter.js';
export { JobFeed } from './job-feed/job-feed.js';
export type { FeedListener } from './job-feed/job-feed.js';
export { checkTopics, ensureTopics } from './kafka-bus/ensure-topics.js';
export type { TopicOptions } from './kafka-bus/ensure-topics.js';
export { TopicsUnsuitableError } from './kafka-bus/topic-wishes.js';
export type { TopicWish } from './kafka-bus/topic-wishes.js';
export { deadLetterTopic } from './kafka-bus/dead-letter-record.js';
