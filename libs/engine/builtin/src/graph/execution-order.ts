import type { Graph, GraphNode } from './read-graph.js';

/**
 * Which node runs next, by the engine's rule: a ready output node first, then a ready node whose result feeds an output
 * node, then one two steps before an output node, else the one that was asked for first. Lazy links count once they
 * were asked for.
 */
export class ExecutionOrder {
  /** Nodes that still have to run, with the number of sources that each waits for. */
  private readonly waiting = new Map<string, number>();
  private readonly ready = new Set<string>();
  private readonly dependents = new Map<string, Set<string>>();
  /** When each node was first asked for, as a running number. */
  private readonly asked = new Map<string, number>();

  constructor(
    private readonly graph: Graph,
    private readonly isDone: (nodeId: string) => boolean,
  ) {
    for (const id of graph.outputs) if (!isDone(id)) this.add(id);
  }

  get size(): number {
    return this.waiting.size;
  }

  /** The nodes that are known to have to run. */
  planned(): ReadonlySet<string> {
    return new Set(this.waiting.keys());
  }

  /** The next node, or `null` when every node that is left waits for another one (a cycle). */
  next(): string | null {
    let best: string | null = null;
    let bestRank = Infinity;
    for (const id of this.ready) {
      const rank = this.rank(id) * this.asked.size + (this.asked.get(id) ?? 0);
      if (rank >= bestRank) continue;
      best = id;
      bestRank = rank;
    }
    return best;
  }

  /** The node ended: what waited for it may run. */
  finish(nodeId: string): void {
    this.waiting.delete(nodeId);
    this.ready.delete(nodeId);
    for (const dependent of this.dependents.get(nodeId) ?? []) {
      const sources = this.waiting.get(dependent);
      if (sources === undefined) continue;
      this.waiting.set(dependent, sources - 1);
      if (sources === 1) this.ready.add(dependent);
    }
    this.dependents.delete(nodeId);
  }

  /** A waiting node needs these lazy inputs after all. */
  needLazily(nodeId: string, inputs: readonly string[]): void {
    for (const name of inputs) {
      const link = this.node(nodeId).links.get(name);
      if (link) this.addLink(link.nodeId, nodeId);
    }
  }

  private add(nodeId: string): void {
    const stack = [nodeId];
    const links: (readonly [string, string])[] = [];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (this.waiting.has(id)) continue;
      this.waiting.set(id, 0);
      this.ready.add(id);
      this.asked.set(id, this.asked.size);
      const node = this.node(id);
      for (const [name, link] of node.links) {
        if (node.info.lazyInputs.has(name) || this.isDone(link.nodeId)) continue;
        stack.push(link.nodeId);
        links.push([link.nodeId, id]);
      }
    }
    for (const [source, dependent] of links) this.block(source, dependent);
  }

  private addLink(source: string, dependent: string): void {
    if (this.isDone(source)) return;
    this.add(source);
    this.block(source, dependent);
  }

  private block(source: string, dependent: string): void {
    const dependents = this.dependents.get(source) ?? new Set<string>();
    this.dependents.set(source, dependents);
    if (dependents.has(dependent)) return;
    dependents.add(dependent);
    this.waiting.set(dependent, (this.waiting.get(dependent) ?? 0) + 1);
    this.ready.delete(dependent);
  }

  private rank(id: string): number {
    if (this.node(id).info.isOutput) return 0;
    const dependents = [...(this.dependents.get(id) ?? [])];
    if (dependents.some((dependent) => this.node(dependent).info.isOutput)) return 1;
    const second = dependents.flatMap((dependent) => [...(this.dependents.get(dependent) ?? [])]);
    return second.some((dependent) => this.node(dependent).info.isOutput) ? 2 : 3;
  }

  private node(id: string): GraphNode {
    const node = this.graph.nodes.get(id);
    if (!node) throw new RangeError('a node outside the graph was asked for');
    return node;
  }
}
