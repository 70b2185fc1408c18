// The worker protocol, served. A package entry of its own: a process that only calls loads no server.
export { WORKER_PROTOCOL, WorkController } from './work.controller.js';
export { WorkStreams } from './work-streams.js';
export type { StreamBounds } from './work-streams.js';
