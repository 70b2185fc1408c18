export { freePort, startStandalone } from './start-standalone.js';
export type { Standalone, StandaloneOptions } from './start-standalone.js';
