// Message handlers of a Nest application as a separate entry: a worker has a bus but no Nest.
export { MessageBusStrategy } from './nest-transport/message-bus-strategy.js';
export { MessageFailureFilter } from './nest-transport/message-failure.filter.js';
