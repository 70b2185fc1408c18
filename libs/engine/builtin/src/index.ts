export { BuiltinEngine, type BuiltinEngineOptions } from './builtin-engine.js';
