import type { Rejection } from '@heddle/contracts-messages';
import {
  explainProblem,
  readWorkflow,
  unknownFiles,
  validateWorkflow,
  type Catalogue,
  type NamedFile,
} from '@heddle/workflow-graph';
import { formRejection, impossibleAssets, workflowRejection } from '../validate-submission/reject-workflow.js';
import { toldProblems, type Explain, type ToldProblem } from '../validate-submission/told-problems.js';
import { ValidationLimits } from '../settings.js';

/** What `heddle validate` prints of one file: `error` is what POST /jobs would answer inside its envelope, or null. */
export interface FileVerdict {
  readonly valid: boolean;
  readonly error: Rejection | null;
  /** The problems of every node in sentences, in the order of `node_errors`, each cause once. */
  readonly problems: readonly ToldProblem[];
  /** What only a service can check, one text for each; a warning makes no file invalid. */
  readonly warnings: readonly string[];
}

/**
 * Judges a file that holds a workflow, offline: no account is asked, so a file name that the engine does not list is a
 * warning, and of an asset reference only the form is judged (decisions, Input files by name).
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
  const warnings = unknownFiles(report, () => false).map(notChecked);
  if (missing !== null) return { valid: false, error: missing, problems: [], warnings };
  const explain: Explain = (id, problem) => explainProblem(workflow, catalogue, id, problem);
  const error = workflowRejection(report, explain);
  const problems = toldProblems(workflow, catalogue, report.nodeErrors);
  return { valid: error === null, error, problems, warnings };
}

/** An account may own an asset of any well-formed name. */
function notChecked({ nodeId, input, name }: NamedFile): string {
  return `node ${nodeId}, ${input}: ${JSON.stringify(name)} is not checked here: the engine lists no such file, and only a service knows the assets of an account`;
}
