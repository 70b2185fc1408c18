export { BuiltinEngine, builtinObjectInfo, type BuiltinEngineOptions } from './builtin-engine.js';
export { engineUser, EngineUserError } from './process/engine-user.js';
export type { BuiltinObserver, BuiltinRun, RaisedError, SentPicture } from './process/run-details.js';
