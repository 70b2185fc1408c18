/** Connections with the role of the registry. */
export const REGISTRY_POOL = Symbol('RegistryPool');
