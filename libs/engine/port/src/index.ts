export type {
  Engine,
  EngineRun,
  EngineFile,
  EngineCredentials,
  EngineObserver,
  EngineOutput,
  EngineOutcome,
  EngineOutputType,
} from './engine.js';
