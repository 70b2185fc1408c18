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
export { JobFeed } from './job-feed/job-feed.js';
