export { NotStarted, startStandalone } from './start-standalone.js';
export type { Ending, Standalone, StandaloneOptions } from './start-standalone.js';
export { serverOf } from './left-server.js';
