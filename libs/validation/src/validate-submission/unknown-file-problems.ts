import type { UnknownFile } from '@heddle/contracts-messages';
import {
  unknownFiles,
  withUnknownFiles,
  type Explanation,
  type NamedFile,
  type NodeProblem,
  type WorkflowReport,
} from '@heddle/workflow-graph';

/** A message tells fewer causes than that; an explanation looks for the nearest of the engine's files. */
const MAX_EXPLAINED = 32;

/** Describes a problem of a node in a sentence and a hint. */
type ExplainParts = (nodeId: string, problem: NodeProblem) => Explanation;

/** What is wrong with a graph if no asset answers any of its names, in the order of `node_errors`. */
export function unknownFileProblems(report: WorkflowReport, explain: ExplainParts): readonly UnknownFile[] {
  const problems = unknownFiles(report, () => false).flatMap(problemsOf);
  if (problems.length === 0) return [];
  const order = new Map(Object.keys(withUnknownFiles(report, () => false)).map((id, at) => [id, at]));
  problems.sort(
    (a, b) => order.get(a.nodeId)! - order.get(b.nodeId)! || compare(a.field, b.field) || compare(a.reason, b.reason),
  );
  let explained = 0;
  return problems.map((problem) => {
    if (!problem.isCause || explained === MAX_EXPLAINED) return { ...problem, sentence: null, hint: null };
    explained += 1;
    return { ...problem, ...explain(problem.nodeId, problem) };
  });
}

function problemsOf({ nodeId, name, input, reasonsIfUnknown, alsoFailing }: NamedFile) {
  return [
    ...reasonsIfUnknown.map((reason, at) => ({ name, nodeId, field: input, reason, isCause: at === 0 })),
    ...alsoFailing.map((field) => ({
      name,
      nodeId,
      field,
      reason: 'custom_validation_failed' as const,
      isCause: false,
    })),
  ];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
