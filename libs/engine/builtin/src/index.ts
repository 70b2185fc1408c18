export { BuiltinEngine, builtinObjectInfo, type BuiltinEngineOptions } from './builtin-engine.js';
