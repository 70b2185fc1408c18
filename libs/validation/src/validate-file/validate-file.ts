import type { Rejection } from '@heddle/contracts-messages';
import {
  explainProblem,
  readWorkflow,
  validateWorkflow,
  withUnknownFiles,
  type Catalogue,
  type NodeProblem,
} from '@heddle/workflow-graph';
import {
  formRejection,
  impossibleAssets,
  workflowRejection,
  type Explain,
} from '../validate-submission/reject-workflow.js';
import { ValidationLimits } from '../validation-limits.js';

/** What `heddle validate` prints of one file: `error` is what POST /jobs would answer inside its envelope. */
export interface FileVerdict {
  readonly valid: boolean;
  readonly error: Rejection | null;
  /** Every problem of every node in words, in the order of `node_errors`. */
  readonly problems: readonly ToldProblem[];
}

/** A problem of a node and what would be right. */
export interface ToldProblem extends NodeProblem {
  readonly nodeId: string;
  readonly words: string;
}

/**
 * Judges a file that holds a workflow, offline: no account is asked, so a file name must be one that the engine lists, and
 * of an asset reference only its form is judged (decisions, Input files by name).
 */
export function validateFile(
  bytes: Uint8Array,
  catalogue: Catalogue,
  limits: ValidationLimits = new ValidationLimits(),
): FileVerdict {
  const read = readWorkflow(bytes, limits.submission);
  if (!read.ok) return refused(formRejection(read));
  const { workflow } = read;
  const report = validateWorkflow(workflow, catalogue, { ...read, limits: limits.graph });
  const missing = impossibleAssets(report.assetReferences);
  if (missing !== null) return refused(missing);
  const explain: Explain = (id, problem) => explainProblem(workflow, catalogue, id, problem);
  const error = workflowRejection(report, () => false, explain);
  if (error === null) return { valid: true, error: null, problems: [] };
  const errors = Object.entries(withUnknownFiles(report, () => false));
  return refused(
    error,
    errors.flatMap(([nodeId, found]) =>
      found.map((problem) => ({ nodeId, ...problem, words: explain(nodeId, problem) })),
    ),
  );
}

function refused(error: Rejection, problems: readonly ToldProblem[] = []): FileVerdict {
  return { valid: false, error, problems };
}
