export { BuiltinEngine, builtinObjectInfo, type BuiltinEngineOptions } from './builtin-engine.js';
export { engineUser, EngineUserError, type EngineUser } from './process/engine-user.js';
export type { BuiltinObserver, BuiltinRun, RaisedError, SentPicture, UiOutput } from './process/run-details.js';
