import { isUuid, refuse, type Rejection } from '@heddle/contracts-messages';
import {
  distinctCauses,
  hasErrors,
  withUnknownFiles,
  type AssetReference,
  type NodeErrors,
  type NodeProblem,
  type SubmissionRejection,
  type WorkflowReport,
} from '@heddle/workflow-graph';
import type { Explain } from './told-problems.js';

/** The refusal of a form, in the words of the catalogue. */
export function formRejection(rejection: SubmissionRejection): Rejection {
  switch (rejection.kind) {
    case 'form':
      return refuse('invalid_workflow', rejection.problem, { details: { node_errors: {} } });
    case 'editor_format':
      return refuse('workflow_format_ui', { case: 'editor' });
    case 'labels': {
      const { problem } = rejection;
      return refuse('metadata_invalid', problem, 'key' in problem ? { details: { key: problem.key } } : {});
    }
  }
}

/** References that name no id which could exist. `missing_ids` lists those that name one at all. */
export function impossibleAssets(references: readonly AssetReference[]): Rejection | null {
  const impossible = references.filter(({ assetId }) => assetId === null || !isUuid(assetId));
  if (impossible.length === 0) return null;
  const missingIds = [...new Set(impossible.flatMap(({ assetId }) => assetId ?? []))];
  const what = missingIds.length > 0 ? { case: 'unknown' as const, ids: missingIds } : { case: 'without_id' as const };
  return refuse('missing_asset', what, { details: { missing_ids: missingIds } });
}

/** What the message tells in sentences at most; `details.node_errors` holds all. */
const MAX_TOLD = 8;
const MAX_TOLD_LENGTH = 1_200;
const SHOWN_ID_LENGTH = 40;

/** The refusal that a report asks for once it is known which names are assets; null where the workflow is good. */
export function workflowRejection(
  report: WorkflowReport,
  isAsset: (name: string) => boolean,
  explain: Explain,
): Rejection | null {
  if (report.graphProblem !== null) {
    return refuse('invalid_workflow', report.graphProblem, { details: { node_errors: report.nodeErrors } });
  }
  const errors = withUnknownFiles(report, isAsset);
  return hasErrors(errors) ? nodeRejection(errors, explain) : null;
}

/** The refusal of a graph for what is wrong with its nodes. */
function nodeRejection(errors: NodeErrors, explain: Explain): Rejection {
  const nodes = Object.entries(errors).map(([id, list]) => [id, distinctCauses(list)] as const);
  const problems = nodes.reduce((sum, [, list]) => sum + list.length, 0);
  const what = { case: 'nodes' as const, problems, nodes: nodes.length, sentences: firstProblems(nodes, explain) };
  return refuse('invalid_workflow', what, { details: { node_errors: errors } });
}

/** `Node 1, image: No asset …`, one for each of the first problems. */
function firstProblems(nodes: readonly (readonly [string, readonly NodeProblem[]])[], explain: Explain): string[] {
  const told: string[] = [];
  let length = 0;
  for (const [id, list] of nodes) {
    for (const problem of list) {
      const field = problem.field === '' ? '' : `, ${shortened(problem.field)}`;
      const text = `Node ${shortened(id)}${field}: ${explain(id, problem)}`;
      length += text.length;
      if (told.length === MAX_TOLD || (told.length > 0 && length > MAX_TOLD_LENGTH)) return told;
      told.push(text);
    }
  }
  return told;
}

function shortened(name: string): string {
  return name.length > SHOWN_ID_LENGTH ? `${name.slice(0, SHOWN_ID_LENGTH)}…` : name;
}
