export { callMetadata, grpcTarget } from './call/grpc-channel.js';
export { BatchedCalls } from './call/batched-calls.js';
export { ServiceChannel } from './call/service-channel.js';
export type { CalledMethod } from './call/channel-options.js';
export type { ServiceChannelOptions } from './call/service-channel.js';
