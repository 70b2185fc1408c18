/** A version of a node package of the registry. */
export interface NodePackage {
  readonly nodeId: string;
  readonly version: string;
}

/** The validation's question to the registry: who has a class that the engine does not know. */
export interface NodePackagesPort {
  /** Classes that no active package has are missing. An answer may be 5 s old. */
  packagesOf(classes: readonly string[]): Promise<ReadonlyMap<string, NodePackage>>;
}
export const NODE_PACKAGES_PORT = Symbol('NodePackagesPort');
