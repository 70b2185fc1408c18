export { describeEngine } from './engine.suite.js';
export type { Graph } from './engine.suite.js';
export { RecordingObserver } from './recording-observer.js';
export type { ReadOutput } from './recording-observer.js';
