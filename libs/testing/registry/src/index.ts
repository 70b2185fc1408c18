export { nodePackage } from './node-package.js';
export { refusalOf, RegistryClient } from './registry-client.js';
export type { VersionAnswer } from './registry-client.js';
export { newId, RegistryPublisher } from './registry-publisher.js';
export { registryDifferences } from './registry-fold.js';
