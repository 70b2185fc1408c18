import type { Graph, GraphNode } from './read-graph.js';

/**
 * Chooses the next node by the engine's rule: first a ready output node, then a ready node that feeds an output node, then a
 * node two steps before an output node, then the node that was requested first. Lazy links count after their request.
 */
export class ExecutionOrder {
  /** Nodes that must still run, with the number of their unfinished sources */
  private readonly waiting = new Map<string, number>();
  private readonly ready = new Set<string>();
  private readonly dependents = new Map<string, Set<string>>();
  /** Order in which nodes were first requested */
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

  /** Nodes that are known to run */
  planned(): ReadonlySet<string> {
    return new Set(this.waiting.keys());
  }

  /** The next node; `null` if every remaining node waits for another one (a cycle). */
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

  /** Marks the node as finished, so that its dependents may run. */
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

  /** Adds lazy inputs that a waiting node needs. */
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
