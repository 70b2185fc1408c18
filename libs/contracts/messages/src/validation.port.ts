import type { AssetId } from './ids.js';
import type { Rejection } from './answer.js';
import type { PartnerCredentials } from './secret.js';

/** What the gateway asks of the validation service. */
export interface ValidationPort {
  /** Reads and checks the body of POST /jobs in one go; asset references are collected, not looked up. */
  validate(body: Uint8Array): Promise<SubmissionVerdict>;
}
export const VALIDATION_PORT = Symbol('ValidationPort');

export type SubmissionVerdict =
  /** The body's form is wrong: nothing else matters. */
  | { readonly kind: 'malformed'; readonly rejection: Rejection }
  /** Well-formed; `rejection` is what the graph alone earns, answered only after the references were found. */
  | {
      readonly kind: 'checked';
      readonly rejection: Rejection | null;
      readonly workflow: Uint8Array;
      readonly nodesTotal: number;
      readonly metadata: Readonly<Record<string, string>>;
      readonly credentials: PartnerCredentials | null;
      /** Every `core/ASSET` id of the graph. */
      readonly assetIds: readonly AssetId[];
      /** Names in file inputs that an asset may answer. */
      readonly names: readonly string[];
      /**
       * The graph's own rejection once it is known which names assets answer; null = accept. A promise where the
       * validation service has to be asked again.
       */
      finish(answeredNames: ReadonlySet<string>): Rejection | null | Promise<Rejection | null>;
    };
