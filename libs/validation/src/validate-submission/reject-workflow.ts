import type { ErrorCase } from '@heddle/contracts-api-v2';
import { graphRejection, isUuid, MAX_EXPLAINED_CAUSES, refuse, type Rejection } from '@heddle/contracts-messages';
import {
  distinctCauses,
  hasErrors,
  withoutBesideWrapper,
  type AssetReference,
  type JsonObject,
  type NodeProblem,
  type SubmissionRejection,
  type WorkflowReport,
} from '@heddle/workflow-graph';
import type { Explain } from './described-problems.js';

/** The rejection of a form problem, with the text of the error catalogue. */
export function formRejection(rejection: SubmissionRejection): Rejection {
  switch (rejection.kind) {
    case 'form':
      return invalidBody(rejection.problem);
    case 'editor_format':
      return refuse('workflow_format_ui', { case: 'editor' });
  }
}

/** The rejection of a body or a file, with no problem of a single node. */
export function invalidBody(problem: ErrorCase<'invalid_workflow'>): Rejection {
  return refuse('invalid_workflow', problem, { details: { node_errors: {} } });
}

/** Rejects references whose id cannot exist. `missing_ids` lists the given ids. */
export function impossibleAssets(references: readonly AssetReference[]): Rejection | null {
  const impossible = references.filter(({ assetId }) => assetId === null || !isUuid(assetId));
  const [first] = impossible;
  if (first === undefined) return null;
  const missingIds = [...new Set(impossible.flatMap(({ assetId }) => assetId ?? []))];
  const what =
    missingIds.length > 0
      ? { case: 'unknown' as const, ids: missingIds }
      : { case: 'without_id' as const, node: first.nodeId, input: first.input };
  return refuse('missing_asset', what, { details: { missing_ids: missingIds } });
}

/** The refusal that a report asks for even if an asset answers every name; null if there is none. */
export function workflowRejection(
  workflow: JsonObject,
  { graphProblem, nodeErrors }: WorkflowReport,
  explain: Explain,
): Rejection | null {
  if (graphProblem !== null) {
    return refuse('invalid_workflow', graphProblem, { details: { node_errors: nodeErrors } });
  }
  if (!hasErrors(nodeErrors)) return null;
  // Thousands of nodes may have problems, and few are explained: the others are only counted.
  const causes: ({ readonly nodeId: string } & NodeProblem)[] = [];
  let count = 0;
  const explained = withoutBesideWrapper(workflow, nodeErrors);
  for (const nodeId in explained) {
    const distinct = distinctCauses(explained[nodeId]!);
    count += distinct.length;
    if (causes.length < MAX_EXPLAINED_CAUSES) causes.push(...distinct.map((problem) => ({ nodeId, ...problem })));
  }
  const nodes = Object.keys(explained).length;
  return graphRejection(nodeErrors, { count, causes, nodes }, ({ nodeId, ...problem }) => explain(nodeId, problem));
}
