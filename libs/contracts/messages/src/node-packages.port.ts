/** A version of a node package of the registry. */
export interface NodePackage {
  readonly nodeId: string;
  readonly version: string;
}

/** A node class of a package, as the registry read it in the source. */
export interface PackageClass {
  readonly name: string;
  /** JSON text of the groups of inputs; empty: not known. */
  readonly inputTypes: string;
  /** JSON text of the types of the outputs; empty: not known. */
  readonly returnTypes: string;
  readonly outputNode: boolean;
  /** Paths of what is not known, such as `input_types.required.model`. */
  readonly unknown: readonly string[];
}

/** What the registry knows of the classes of a version. */
export interface PackageClasses {
  /** In the order of their list. */
  readonly classes: readonly PackageClass[];
  /** False: the version may have more, which could not be read, or are not read yet. */
  readonly isWhole: boolean;
}

/** The validation's questions to the registry. Implementations pass `test/internal-calls/node-packages-port.suite.ts`. */
export interface NodePackagesPort {
  /** Who has a class that the engine does not know. Classes that no active package has are missing. An answer may be 5 s old. */
  packagesOf(classes: readonly string[]): Promise<ReadonlyMap<string, NodePackage>>;
  /** Those of these versions, as they are named, that can be installed: Active or Flagged, and nothing of them is banned. */
  installable(packages: readonly NodePackage[]): Promise<readonly NodePackage[]>;
  /** The classes of a version in any status: what is pinned stays pinned. Null: the registry never had it. */
  classesOf(version: NodePackage): Promise<PackageClasses | null>;
}
export const NODE_PACKAGES_PORT = Symbol('NodePackagesPort');

/** Classes of one question to the registry. */
export const MAX_ASKED_CLASSES = 100;
