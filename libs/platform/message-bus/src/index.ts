export { BusClosedError, BusFullError } from './bus/message-bus.js';
export type {
  BatchHandler,
  BusMessage,
  BusSubscription,
  DeadLetter,
  DeliveryOptions,
  DeliveryWait,
  MessageBus,
  SubscribeOptions,
} from './bus/message-bus.js';
export { MemoryMessageBus } from './memory-bus/memory-message-bus.js';
export type { MemoryBusOptions } from './memory-bus/memory-message-bus.js';
export { JobFeed } from './job-feed/job-feed.js';
export type { FeedListener } from './job-feed/job-feed.js';
