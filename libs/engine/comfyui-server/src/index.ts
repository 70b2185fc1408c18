export { startEngineServer, type EngineServer, type EngineServerOptions } from './engine-server.js';
