import {
  distinctCauses,
  explainProblem,
  withoutBesideWrapper,
  type Catalogue,
  type JsonObject,
  type NodeErrors,
  type NodeProblem,
} from '@heddle/workflow-graph';

/** A problem of a node with its sentences. */
export interface DescribedProblem extends NodeProblem {
  readonly nodeId: string;
  readonly words: string;
}

/** Describes a problem of a node in sentences. */
export type Explain = (nodeId: string, problem: NodeProblem) => string;

/** The problems of all nodes as sentences, in the order of `node_errors`, each cause once. */
export function describedProblems(
  workflow: JsonObject,
  catalogue: Catalogue,
  errors: NodeErrors,
): readonly DescribedProblem[] {
  return Object.entries(withoutBesideWrapper(workflow, errors)).flatMap(([nodeId, found]) =>
    distinctCauses(found).map((problem) => ({
      nodeId,
      ...problem,
      words: explainProblem(workflow, catalogue, nodeId, problem),
    })),
  );
}
