import type { AssetId, Rejection } from '@heddle/contracts-messages';
import type { Metadata, SubmittedCredentials, WorkflowReport } from '@heddle/workflow-graph';
import type { Explain } from './told-problems.js';

/** Refused whatever the account owns. */
export interface RejectedSubmission {
  readonly outcome: 'rejected';
  readonly rejection: Rejection;
}

/**
 * Of good form. What it names must be looked up before the verdict is final: first the assets (an unknown id is
 * `missing_asset`, which goes before everything that validation found), then `finish` with the names that are assets.
 */
export interface CheckedSubmission {
  readonly outcome: 'checked';
  /** The bytes of the workflow as they were sent: a view into the body. */
  readonly workflow: Uint8Array;
  /** `{}` when no labels were sent. */
  readonly metadata: Metadata;
  /** Plain texts: wrap them at once. Null when none was sent. */
  readonly credentials: SubmittedCredentials | null;
  /** Each once. */
  readonly assetIds: readonly AssetId[];
  /** File names that an asset of the account may have, each once. An asset goes before an engine's file of that name. */
  readonly fileNames: readonly string[];
  /** The nodes that an output depends on. */
  readonly nodesTotal: number;
  /** True where the graph is refused however the names come out; only a missing asset is told first. */
  readonly hasProblems: boolean;
  readonly report: WorkflowReport;
  /** Tells a problem of the report in words. */
  readonly explain: Explain;
}

export type JudgedSubmission = RejectedSubmission | CheckedSubmission;
