export { freshDatabase, migratedDatabase, sharedServerUrl } from './fresh-database.js';
export type { TestDatabase } from './fresh-database.js';
export { privateServer } from './private-server.js';
export type { PrivateServer } from './private-server.js';
