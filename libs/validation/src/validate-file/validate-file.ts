import type { Rejection } from '@heddle/contracts-messages';
import {
  explainProblem,
  misspeltInputs,
  readWorkflow,
  unknownFiles,
  validateWorkflow,
  type Catalogue,
  type NamedFile,
} from '@heddle/workflow-graph';
import { formRejection, impossibleAssets, workflowRejection } from '../validate-submission/reject-workflow.js';
import { describedProblems, type Explain, type DescribedProblem } from '../validate-submission/described-problems.js';
import { ValidationLimits } from '../settings.js';

/**
 * Result of `heddle validate` for one file: `error` is the body of the envelope that POST /jobs would answer, or null.
 */
export interface FileVerdict {
  readonly valid: boolean;
  readonly error: Rejection | null;
  /** The problems of all nodes as sentences, in the order of `node_errors`, each cause once. */
  readonly problems: readonly DescribedProblem[];
  /**
   * Checks that need a service, and inputs that the engine ignores although a similar one exists, one sentence each; a
   * warning does not make a file invalid.
   */
  readonly warnings: readonly string[];
}

/**
 * Validates a workflow file offline. No account is available, so a file name that the engine does not list is a
 * warning, and only the form of an asset reference is checked (decisions, Input files by name).
 */
export function validateFile(
  bytes: Uint8Array,
  catalogue: Catalogue,
  limits: ValidationLimits = new ValidationLimits(),
): FileVerdict {
  const read = readWorkflow(bytes, limits.submission);
  if (!read.ok) return { valid: false, error: formRejection(read), problems: [], warnings: [] };
  const { workflow } = read;
  const report = validateWorkflow(workflow, catalogue, { ...read, limits: limits.graph });
  const missing = impossibleAssets(report.assetReferences);
  const warnings = [...unknownFiles(report, () => false).map(notChecked), ...misspeltInputs(workflow, catalogue)];
  if (missing !== null) return { valid: false, error: missing, problems: [], warnings };
  const explain: Explain = (id, problem) => explainProblem(workflow, catalogue, id, problem);
  const error = workflowRejection(workflow, report, explain);
  const problems = describedProblems(workflow, catalogue, report.nodeErrors);
  return { valid: error === null, error, problems, warnings };
}

/** An account may own an asset of any valid name. */
function notChecked({ nodeId, input, name }: NamedFile): string {
  return `node ${nodeId}, ${input}: ${JSON.stringify(name)} not checked: only a running service knows whether this file was uploaded`;
}
