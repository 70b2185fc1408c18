export { REGISTRY_FAILPOINTS } from './failpoints.js';
export { RegistryGate } from './authorize/registry-gate.js';
export { RegistryModule } from './registry.module.js';
export { RegistrySettings } from './settings.js';
export { VersionSigner } from './sign-versions/version-signer.js';
