import { at, isRecord, textAt } from '../calls/json-shape.js';
import type { EngineRecord } from '../calls/json-shape.js';

/** The nodes of a graph that a run needs. */
export interface GraphNodes {
  /** Node ids with their classes. */
  readonly classes: ReadonlyMap<string, string>;
  /** Nodes that an output depends on; the others never run. */
  readonly needed: ReadonlySet<string>;
}

/**
 * Reads the nodes of a workflow; returns an error text if it is not a graph. An engine answers some of these with an
 * internal error, so they never reach it (engine reference, 0.3). Without `outputClasses` every node counts as needed.
 */
export function readGraph(workflow: Uint8Array, outputClasses: ReadonlySet<string> | null): GraphNodes | string {
  let graph: unknown;
  try {
    graph = JSON.parse(Buffer.from(workflow).toString('utf8'));
  } catch {
    return 'the workflow is not JSON; an object of nodes was expected';
  }
  if (!isRecord(graph)) return 'the workflow is not an object of nodes';
  const classes = new Map<string, string>();
  for (const [nodeId, node] of Object.entries(graph)) {
    const classType = textAt(node, 'class_type');
    if (classType === null) return `node ${nodeId} of the workflow is not an object with a class_type`;
    classes.set(nodeId, classType);
  }
  if (classes.size === 0) return 'the workflow has no nodes';
  const needed = neededBy(graph, classes, outputClasses ?? new Set());
  // A catalogue without any output of this graph is not the engine's current one.
  return { classes, needed: needed.size === 0 ? new Set(classes.keys()) : needed };
}

function neededBy(
  graph: EngineRecord,
  classes: ReadonlyMap<string, string>,
  outputClasses: ReadonlySet<string>,
): ReadonlySet<string> {
  const waiting = [...classes].flatMap(([nodeId, classType]) => (outputClasses.has(classType) ? [nodeId] : []));
  const needed = new Set(waiting);
  for (let nodeId = waiting.pop(); nodeId !== undefined; nodeId = waiting.pop()) {
    const inputs = at(graph[nodeId], 'inputs');
    for (const value of isRecord(inputs) ? Object.values(inputs) : []) {
      const source: unknown = Array.isArray(value) ? value[0] : undefined;
      if (typeof source !== 'string' || !classes.has(source) || needed.has(source)) continue;
      needed.add(source);
      waiting.push(source);
    }
  }
  return needed;
}
