import type { AssetId } from './ids.js';
import type { Rejection } from './answer.js';
import type { PinnedCatalogue } from './deployments.port.js';
import type { NodePackage } from './node-packages.port.js';
import type { NodeErrorEntry } from './node-error-entry.js';
import type { PartnerCredentials } from './secret.js';

/** The gateway's calls to the validation service. Implementations pass `test/internal-calls/validation-port.suite.ts`. */
export interface ValidationPort {
  /**
   * Parses and validates the body of POST /jobs in one call; asset references are collected, not looked up. `catalogue`:
   * null for the engine of the service.
   */
  validate(body: Uint8Array, catalogue: PinnedCatalogue | null): Promise<SubmissionVerdict>;
  /**
   * Those of these packages that an environment cannot pin: the registry has no such version that can be installed. Null: the
   * registry does not answer. Without a registry, none is missing.
   */
  missingPackages(packages: readonly NodePackage[]): Promise<readonly NodePackage[] | null>;
}
export const VALIDATION_PORT = Symbol('ValidationPort');

export type SubmissionVerdict =
  /** The body is malformed: nothing else matters. */
  | { readonly kind: 'malformed'; readonly rejection: Rejection }
  /** The form of the body is good. The engine has not described its node classes yet, so nothing more was checked. */
  | { readonly kind: 'no_catalogue'; readonly rejection: Rejection }
  | CheckedSubmission;

/** A body of good form. It is accepted if there is no `rejection` and an asset answers each of the `unknownFiles`. */
export interface CheckedSubmission {
  readonly kind: 'checked';
  /** The rejection that applies even if every file name is found. A missing asset is reported before it. */
  readonly rejection: Rejection | null;
  /** Where the workflow lies in the body. */
  readonly workflow: BodySpan;
  readonly nodesTotal: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly credentials: PartnerCredentials | null;
  /** Every `core/ASSET` id of the graph. */
  readonly assetIds: readonly AssetId[];
  /** Names in file inputs that an asset may answer. */
  readonly names: readonly string[];
  /** What is wrong if no asset answers a name, in the order of `node_errors`. Empty beside a rejection. */
  readonly unknownFiles: readonly UnknownFile[];
}

interface BodySpan {
  readonly start: number;
  /** The first byte behind it. */
  readonly end: number;
}

/** A problem of a node that an asset of that name solves. */
export interface UnknownFile extends NodeErrorEntry {
  readonly name: string;
  readonly nodeId: string;
  /** False for a problem that follows from another one of the same name: the message does not count it. */
  readonly isCause: boolean;
  /** In words. Null for what is not a cause, and for causes beyond the first ones. */
  readonly sentence: string | null;
  /** A question that names the file of the engine that may be meant, behind the sentence. */
  readonly hint: string | null;
}
