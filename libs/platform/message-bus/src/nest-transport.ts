// What a Nest application hears messages with, an entry of its own: a worker has a bus and no Nest.
export { BusContext, MessageBusStrategy } from './nest-transport/message-bus-strategy.js';
export { MessageFailureFilter } from './nest-transport/message-failure.filter.js';
