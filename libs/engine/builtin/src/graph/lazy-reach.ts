import type { Graph } from './read-graph.js';

/** Nodes that planned nodes may still request through lazy inputs, with their dependencies. */
export function lazyReach(graph: Graph, planned: ReadonlySet<string>): ReadonlySet<string> {
  const stack: string[] = [];
  for (const id of planned) {
    const node = graph.nodes.get(id);
    for (const [name, link] of node?.links ?? []) if (node?.info.lazyInputs.has(name)) stack.push(link.nodeId);
  }
  const reached = new Set<string>();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const { nodeId } of graph.nodes.get(id)?.links.values() ?? []) stack.push(nodeId);
  }
  return reached;
}
