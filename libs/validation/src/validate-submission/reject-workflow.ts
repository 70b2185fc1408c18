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

/** A problem of a node in words. */
export type Explain = (nodeId: string, problem: NodeProblem) => string;

/** Problems that the message tells in words; `details.node_errors` holds all. */
const TOLD = 3;
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

/** The first problem of each of the first nodes, a sentence each. */
function firstProblems(nodes: readonly (readonly [string, readonly NodeProblem[]])[], explain: Explain): string[] {
  return nodes.slice(0, TOLD).map(([id, [first]]) => {
    const shown = id.length > SHOWN_ID_LENGTH ? `${id.slice(0, SHOWN_ID_LENGTH)}…` : id;
    return first === undefined
      ? ''
      : `Node ${shown}${first.field === '' ? '' : `, ${first.field.slice(0, SHOWN_ID_LENGTH)}`}: ${explain(id, first)}.`;
  });
}
