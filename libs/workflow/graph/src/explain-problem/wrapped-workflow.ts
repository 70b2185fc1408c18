import type { NodeErrors, NodeProblem } from '../check-workflow/node-problems.js';
import { isJsonObject, ownValue, type JsonObject } from '../json/json-value.js';
import { holdsNodes } from '../parse-submission/explain-form.js';

/**
 * The problems to explain. In `{"client_id": "x", "prompt": {…}}`, the body of the engine's own API, the wrapper is the one
 * cause: what stands beside the wrapped workflow was never meant as a node.
 */
export function withoutBesideWrapper(workflow: JsonObject, errors: NodeErrors): NodeErrors {
  const isWrapper = (id: string): boolean => {
    const node = ownValue(workflow, id);
    return errors[id]!.some(lacksClass) && isJsonObject(node) && holdsNodes(node);
  };
  const wrapper = Object.keys(errors).find(isWrapper);
  if (wrapper === undefined) return errors;
  const kept = Object.create(null) as Record<string, readonly NodeProblem[]>;
  for (const id in errors) if (id === wrapper || !errors[id]!.every(isNoNode)) kept[id] = errors[id]!;
  return kept;
}

function lacksClass({ reason }: NodeProblem): boolean {
  return reason === 'missing_class_type';
}

function isNoNode(problem: NodeProblem): boolean {
  return lacksClass(problem) || (problem.reason === 'invalid_node' && problem.field !== 'inputs');
}
