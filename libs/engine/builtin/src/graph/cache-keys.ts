import { createHash } from 'node:crypto';
import type { PythonJson } from '../values/value.js';
import { GraphError, type Graph } from './read-graph.js';
import { pythonRepr } from './python-text.js';

/**
 * One cache key per node, over the account (empty: the only one), its class, constants, files and ancestors: equal keys mean equal results. `contentOf` names
 * the content of a file name. Iterative, because a graph may be a chain of thousands of nodes. Throws `GraphError` for a
 * cycle.
 */
export function cacheKeys(
  graph: Graph,
  account: string,
  contentOf: (nodeId: string, input: string, value: PythonJson) => string | null,
): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const id of sourcesFirst(graph)) {
    const node = graph.nodes.get(id);
    if (!node) continue;
    const hash = createHash('sha256').update(JSON.stringify([account, node.classType]));
    for (const name of [...node.constants.keys(), ...node.links.keys()].sort()) {
      hash.update(`\n${JSON.stringify(name)}=`);
      const link = node.links.get(name);
      if (link) {
        hash.update(`link ${keys.get(link.nodeId) ?? ''} ${link.slot}`);
      } else {
        const value = node.constants.get(name) ?? null;
        hash.update(`constant ${pythonRepr(value)} ${contentOf(id, name, value) ?? ''}`);
      }
    }
    keys.set(id, hash.digest('base64'));
  }
  return keys;
}

/** Nodes in topological order, sources first. */
function sourcesFirst(graph: Graph): readonly string[] {
  const order: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const root of graph.outputs) {
    const stack = [root];
    for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
      const before = state.get(id);
      if (before === 'done') {
        stack.pop();
      } else if (before === 'open') {
        stack.pop();
        state.set(id, 'done');
        order.push(id);
      } else {
        state.set(id, 'open');
        for (const { nodeId } of graph.nodes.get(id)?.links.values() ?? []) {
          if (state.get(nodeId) === 'open') throw new GraphError('Dependency cycle detected', id);
          if (!state.has(nodeId)) stack.push(nodeId);
        }
      }
    }
  }
  return order;
}
