import type { Rejection } from '@heddle/contracts-messages';
import { readWorkflow, validateWorkflow, type Catalogue } from '@heddle/workflow-graph';
import { formRejection, impossibleAssets, workflowRejection } from '../validate-submission/reject-workflow.js';
import { ValidationLimits } from '../validation-limits.js';

/** What `heddle validate` prints of one file: `error` is what POST /jobs would answer inside its envelope. */
export interface FileVerdict {
  readonly valid: boolean;
  readonly error: Rejection | null;
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
  const error = refusal(bytes, catalogue, limits);
  return { valid: error === null, error };
}

function refusal(bytes: Uint8Array, catalogue: Catalogue, limits: ValidationLimits): Rejection | null {
  const read = readWorkflow(bytes, limits.submission);
  if (!read.ok) return formRejection(read);
  const report = validateWorkflow(read.workflow, catalogue, { ...read, limits: limits.graph });
  return impossibleAssets(report.assetReferences) ?? workflowRejection(report, () => false);
}
