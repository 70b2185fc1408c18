import { isRecord, textAt } from '../calls/json-shape.js';

/** The nodes of a graph and their classes, as far as a run needs them. */
export type GraphNodes = ReadonlyMap<string, string>;

/**
 * Reads which nodes a workflow has; a text where it is no graph. An engine answers some of these with an internal error,
 * so they never reach it (engine reference, 0.3).
 */
export function readGraph(workflow: Uint8Array): GraphNodes | string {
  let graph: unknown;
  try {
    graph = JSON.parse(Buffer.from(workflow).toString('utf8'));
  } catch {
    return 'the workflow is not JSON; an object of nodes was expected';
  }
  if (!isRecord(graph)) return 'the workflow is not an object of nodes';
  const nodes = new Map<string, string>();
  for (const [nodeId, node] of Object.entries(graph)) {
    const classType = textAt(node, 'class_type');
    if (classType === null) return `node ${nodeId} of the workflow is not an object with a class_type`;
    nodes.set(nodeId, classType);
  }
  return nodes.size === 0 ? 'the workflow has no nodes' : nodes;
}
