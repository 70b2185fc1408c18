import { isUuid, type Rejection } from '@heddle/contracts-messages';
import {
  hasErrors,
  withUnknownFiles,
  type AssetReference,
  type NodeErrors,
  type SubmissionRejection,
  type WorkflowReport,
} from '@heddle/workflow-graph';

/** The refusal of a form, in the words of the contract. */
export function formRejection({ code, message, details }: SubmissionRejection): Rejection {
  return details === undefined ? { code, message } : { code, message, details };
}

/** References that name no id which could exist. `missing_ids` lists those that name one at all. */
export function impossibleAssets(references: readonly AssetReference[]): Rejection | null {
  const impossible = references.filter(({ assetId }) => assetId === null || !isUuid(assetId));
  if (impossible.length === 0) return null;
  const missingIds = [...new Set(impossible.flatMap(({ assetId }) => assetId ?? []))];
  return {
    code: 'missing_asset',
    message:
      'The workflow refers to assets that do not exist: each core/ASSET object needs info.id, the id of an asset.',
    details: { missing_ids: missingIds },
  };
}

/** The refusal that a report asks for once it is known which names are assets; null where the workflow is good. */
export function workflowRejection(report: WorkflowReport, isAsset: (name: string) => boolean): Rejection | null {
  if (report.graphProblem !== null) return invalid(report.graphProblem, report.nodeErrors);
  const errors = withUnknownFiles(report, isAsset);
  if (!hasErrors(errors)) return null;
  const lists = Object.values(errors);
  const problems = lists.reduce((sum, list) => sum + list.length, 0);
  const [one, many] = [`${problems} problem${problems === 1 ? '' : 's'}`, `${lists.length} node`];
  return invalid(
    `The workflow has ${one} in ${many}${lists.length === 1 ? '' : 's'}: see details.node_errors.`,
    errors,
  );
}

function invalid(message: string, nodeErrors: NodeErrors): Rejection {
  return { code: 'invalid_workflow', message, details: { node_errors: nodeErrors } };
}
