import type { Catalogue } from '../catalogue/catalogue.js';
import { reachFrom } from '../check-workflow/find-cycles.js';
import { isJsonObject, ownValue, type JsonObject } from '../json/json-value.js';

/** What a worker needs of a workflow to report progress. */
export interface GraphDescription {
  readonly outputNodes: readonly string[];
  /** The nodes that an output depends on, each after its dependencies. Its length is `progress.nodes_total`. */
  readonly order: readonly string[];
  /** Class name by node id, for all nodes with a class. */
  readonly classes: ReadonlyMap<string, string>;
}

/** Describes a validated workflow; malformed parts are skipped. */
export function describeGraph(workflow: JsonObject, catalogue: Catalogue): GraphDescription {
  const ids = Object.keys(workflow);
  const numbers = new Map(ids.map((id, number) => [id, number]));
  const classes = new Map<string, string>();
  const outputs: number[] = [];
  const starts = new Int32Array(ids.length + 1);
  const sources: number[] = [];
  ids.forEach((id, number) => {
    const node = ownValue(workflow, id);
    if (isJsonObject(node)) {
      const name = ownValue(node, 'class_type');
      if (typeof name === 'string') {
        classes.set(id, name);
        if (catalogue.classes.get(name)?.isOutput === true) outputs.push(number);
      }
      sources.push(...linkedNodes(node, numbers));
    }
    starts[number + 1] = sources.length;
  });
  const { order } = reachFrom(outputs, { starts, sources }, ids.length);
  return { outputNodes: outputs.map((number) => ids[number]!), order: order.map((number) => ids[number]!), classes };
}

function linkedNodes(node: JsonObject, numbers: ReadonlyMap<string, number>): number[] {
  const inputs = ownValue(node, 'inputs');
  if (!isJsonObject(inputs)) return [];
  const linked: number[] = [];
  for (const value of Object.values(inputs)) {
    if (!Array.isArray(value) || value.length !== 2 || typeof value[1] !== 'number') continue;
    const source = typeof value[0] === 'string' ? numbers.get(value[0]) : undefined;
    if (source !== undefined) linked.push(source);
  }
  return linked;
}
