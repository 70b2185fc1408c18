import { isRecord } from '../api/wire.js';

export interface OutlineNode {
  readonly id: string;
  /** The author's title, otherwise the class. */
  readonly title: string;
  readonly inputsFrom: readonly string[];
}

const MAX_NODES = 5_000;

/** The graph's nodes in dependency order, for the progress bars. Malformed parts are skipped. */
export function outlineGraph(graph: unknown): readonly OutlineNode[] {
  if (!isRecord(graph)) return [];
  const nodes = Object.entries(graph)
    .slice(0, MAX_NODES)
    .flatMap(([id, node]) => {
      if (!isRecord(node) || typeof node['class_type'] !== 'string') return [];
      const meta = node['_meta'];
      const title =
        isRecord(meta) && typeof meta['title'] === 'string' && meta['title'] !== ''
          ? meta['title']
          : node['class_type'];
      const inputs = isRecord(node['inputs']) ? Object.values(node['inputs']) : [];
      const inputsFrom = inputs.flatMap((value) =>
        Array.isArray(value) && typeof value[0] === 'string' && value.length === 2 ? [value[0]] : [],
      );
      return [{ id, title, inputsFrom }];
    });
  return inOrder(nodes);
}

function inOrder(nodes: readonly OutlineNode[]): OutlineNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const placed = new Set<string>();
  const ordered: OutlineNode[] = [];
  const place = (start: OutlineNode): void => {
    // An explicit stack: a chain of thousands of nodes is a legal graph.
    const open: { node: OutlineNode; next: number }[] = [{ node: start, next: 0 }];
    placed.add(start.id);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const source = byId.get(top.node.inputsFrom[top.next] ?? '');
      top.next += 1;
      if (source !== undefined && !placed.has(source.id)) {
        placed.add(source.id);
        open.push({ node: source, next: 0 });
      } else if (top.next > top.node.inputsFrom.length) {
        ordered.push(top.node);
        open.pop();
      }
    }
  };
  for (const node of nodes) if (!placed.has(node.id)) place(node);
  return ordered;
}

/** Every node that must have run before this one. */
export function ancestors(nodes: readonly OutlineNode[], id: string): ReadonlySet<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = new Set<string>();
  const open = [...(byId.get(id)?.inputsFrom ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(byId.get(next)?.inputsFrom ?? []));
  }
  return found;
}
