import type { NamedFile } from './file-names.js';
import { orderedErrors, type NodeErrors, type NodeProblem } from './node-problems.js';
import type { WorkflowReport } from './validate-workflow.js';

/** Named files that are refused unless they are found: neither listed by the engine nor accepted by `isAsset`. */
export function unknownFiles(report: WorkflowReport, isAsset: (name: string) => boolean): readonly NamedFile[] {
  return report.namedFiles.filter(
    ({ name, listed, reasonsIfUnknown }) => reasonsIfUnknown.length > 0 && !listed && !isAsset(name),
  );
}

/**
 * The node errors after the lookup of named files: a name that is neither listed by the engine nor accepted by
 * `isAsset` adds its problems (decisions, Input files by name).
 */
export function withUnknownFiles(report: WorkflowReport, isAsset: (name: string) => boolean): NodeErrors {
  const unknown = unknownFiles(report, isAsset);
  if (unknown.length === 0) return report.nodeErrors;
  const problems = new Map<string, NodeProblem[]>();
  for (const [id, found] of Object.entries(report.nodeErrors)) problems.set(id, [...found]);
  for (const { nodeId, input, reasonsIfUnknown, alsoFailing } of unknown) {
    const added = reasonsIfUnknown.map((reason): NodeProblem => ({ field: input, reason }));
    const others = alsoFailing.map((field): NodeProblem => ({ field, reason: 'custom_validation_failed' }));
    problems.set(nodeId, [...(problems.get(nodeId) ?? []), ...added, ...others]);
  }
  return orderedErrors(problems);
}

export function hasErrors(errors: NodeErrors): boolean {
  return Object.keys(errors).length > 0;
}
