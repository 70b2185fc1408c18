import { ActiveNode } from './active-node.js';
import type { EngineOutcome } from '@heddle/engine-port';
import type { ClassInfo } from '../catalogue/class-info.js';
import { cacheKeys } from '../graph/cache-keys.js';
import { ExecutionOrder } from '../graph/execution-order.js';
import { lazyReach } from '../graph/lazy-reach.js';
import { GraphError, readGraph, type Graph, type GraphNode } from '../graph/read-graph.js';
import { readJson } from '../graph/read-json.js';
import type { PythonJson, Value } from '../values/value.js';
import type { NodeCache, NodeResult } from './node-cache.js';
import type { NodeImplementation } from './node-class.js';
import { InterruptedError, NodeError } from './node-error.js';
import { failureOf } from './run-failure.js';
import { raisedError } from './raised-error.js';
import type { RunFiles } from './run-files.js';
import { lazyNeeds, runNode } from './run-node.js';
import type { RunReport } from './run-report.js';

/** Parts of a run. All except `report` and `files` outlive the run. */
interface RunParts {
  readonly classes: ReadonlyMap<string, ClassInfo>;
  readonly nodeClasses: ReadonlyMap<string, NodeImplementation>;
  readonly cache: NodeCache;
  readonly files: RunFiles;
  readonly report: RunReport;
  /** Output nodes to run; `null`: all */
  readonly targets: readonly string[] | null;
  /** Whose results are reused; empty: those of the only account */
  readonly account: string;
}

/** Runs a graph (JSON text) to its end. Never rejects because of the graph. */
export async function runGraph(workflow: string, parts: RunParts): Promise<EngineOutcome> {
  let run: GraphRun | null = null;
  try {
    const startedAt = performance.now();
    parts.report.log('got prompt');
    run = await GraphRun.prepare(workflow, parts);
    await run.toTheEnd();
    parts.report.log(`Prompt executed in ${((performance.now() - startedAt) / 1000).toFixed(2)} seconds`);
    return { kind: 'succeeded' };
  } catch (error) {
    if (error instanceof InterruptedError) return { kind: 'interrupted' };
    const failure = failureOf(error, run?.current ?? null);
    run?.tellRaised(error, failure);
    return failure;
  } finally {
    run?.letGo();
  }
}

class GraphRun {
  /** The running node, to which failures are attributed */
  current: GraphNode | null = null;
  private readonly results = new Map<string, NodeResult>();
  /** Number of inputs that still wait for each node's result */
  private readonly users: Map<string, number>;
  private readonly executed: string[] = [];

  private constructor(
    private readonly graph: Graph,
    private readonly keys: ReadonlyMap<string, string>,
    private readonly parts: RunParts,
  ) {
    this.users = countUsers(graph);
  }

  static async prepare(workflow: string, parts: RunParts): Promise<GraphRun> {
    const graph = readGraph(parseWorkflow(workflow), parts.classes, parts.targets);
    const document = await parts.files.identify(graph);
    parts.report.document = document;
    const contentOf = (id: string, input: string, value: PythonJson): string | null =>
      parts.files.contentOf(graph.nodes.get(id), input, value);
    const keys = cacheKeys(graph, parts.account, contentOf);
    return new GraphRun(graph, keys, parts);
  }

  /** Reports the exception that ended the run, with the inputs of the node. */
  tellRaised(error: unknown, failure: Extract<EngineOutcome, { kind: 'failed' }>): void {
    if (this.current === null) return;
    const raised = raisedError(error, failure, this.current, this.inputsOf(this.current), this.executed);
    this.parts.report.channel.send({ kind: 'raised', error: raised });
  }

  /** Releases the results of the ended run; only the cache holds them. */
  letGo(): void {
    for (const id of this.results.keys()) this.drop(id);
  }

  async toTheEnd(): Promise<void> {
    const { report, cache } = this.parts;
    const order = new ExecutionOrder(this.graph, (id) => this.takeCached(id));
    await this.tellCached(order.planned());
    for (let id = order.next(); order.size > 0; id = order.next()) {
      const node = id === null ? undefined : this.graph.nodes.get(id);
      if (!node) throw new GraphError('Dependency cycle detected');
      this.current = node;
      await report.checkpoint();
      if (!(await this.runOne(node, order))) continue;
      order.finish(node.id);
      this.executed.push(node.id);
      const result = this.results.get(node.id);
      const key = this.keys.get(node.id);
      const neverCached = this.parts.nodeClasses.get(node.classType)?.neverCached === true;
      if (result && key !== undefined && !neverCached) cache.put(key, result);
      this.release(node);
      this.current = null;
    }
  }

  /** Reports cached nodes first, like the engine, and offers the results of cached output nodes again. */
  private async tellCached(planned: ReadonlySet<string>): Promise<void> {
    const lazy = lazyReach(this.graph, planned);
    const cached = [...this.graph.nodes.values()].filter(
      ({ id }) => !planned.has(id) && (this.results.has(id) || !lazy.has(id)),
    );
    this.parts.report.channel.send({ kind: 'cached', nodeIds: cached.map(({ id }) => id) });
    for (const node of cached) {
      const result = this.results.get(node.id);
      if (node.info.isOutput) await this.parts.report.repeat(node, result?.shown ?? []);
      this.parts.report.cachedNode(node);
    }
  }

  /** Resolves with false if the node needs more of its lazy inputs before it can run. */
  private async runOne(node: GraphNode, order: ExecutionOrder): Promise<boolean> {
    const nodeClass = this.parts.nodeClasses.get(node.classType);
    if (!nodeClass) {
      throw new NodeError(
        'NotImplementedError',
        `${node.classType} needs models or a GPU: the built-in engine has neither`,
      );
    }
    const inputs = this.inputsOf(node);
    const missing = lazyNeeds(node, nodeClass, inputs);
    if (missing.length > 0) {
      order.needLazily(node.id, missing);
      return false;
    }
    const context = new ActiveNode(node, this.parts.report);
    const slots = await runNode(node, nodeClass, inputs, context);
    this.keep(node.id, { slots, shown: context.shown });
    context.finish();
    return true;
  }

  private inputsOf(node: GraphNode): ReadonlyMap<string, readonly Value[]> {
    const inputs = new Map<string, readonly Value[]>();
    for (const [name, value] of node.constants) inputs.set(name, [value]);
    for (const [name, link] of node.links) {
      const values = this.results.get(link.nodeId)?.slots[link.slot];
      if (values) inputs.set(name, values);
    }
    return inputs;
  }

  /** Uses a result of an earlier run, which is then not evicted during this run. */
  private takeCached(id: string): boolean {
    if (this.results.has(id)) return true;
    const result = this.parts.cache.get(this.keys.get(id) ?? '');
    if (result) this.keep(id, result);
    return result !== undefined;
  }

  /** Releases results that no node waits for; the cache may evict them. */
  private release(node: GraphNode): void {
    if (!this.users.has(node.id)) this.drop(node.id);
    for (const { nodeId } of node.links.values()) {
      const left = (this.users.get(nodeId) ?? 1) - 1;
      this.users.set(nodeId, left);
      if (left === 0) this.drop(nodeId);
    }
  }

  private keep(id: string, result: NodeResult): void {
    this.results.set(id, result);
    this.parts.cache.use(result);
  }

  private drop(id: string): void {
    const result = this.results.get(id);
    if (result) this.parts.cache.release(result);
    this.results.set(id, RELEASED);
  }
}

const RELEASED: NodeResult = { slots: [], shown: [] };

function countUsers(graph: Graph): Map<string, number> {
  const users = new Map<string, number>();
  for (const node of graph.nodes.values()) {
    for (const { nodeId } of node.links.values()) users.set(nodeId, (users.get(nodeId) ?? 0) + 1);
  }
  return users;
}

function parseWorkflow(text: string): PythonJson {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new GraphError(`the workflow is not JSON: ${error.message}`);
    throw error;
  }
}
