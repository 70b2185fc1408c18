export { describeEngine } from './describe-engine.js';
export type { EngineSubject, Graph } from './describe-engine.js';
export { RecordingObserver } from './recording-observer.js';
export type { ReadOutput } from './recording-observer.js';
