export { startEngineServer, type EngineServer, type EngineServerOptions } from './engine-server.js';
export type { Generation } from './generation.js';
export type { EndedRun } from './running/run-queue.js';
