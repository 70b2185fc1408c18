export type {
  Engine,
  EngineRun,
  EngineFile,
  EngineCredentials,
  EngineObserver,
  EngineOutput,
  EngineOutcome,
  OutputType,
} from './engine.js';
