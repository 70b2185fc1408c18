import type { GraphNode } from '../graph/read-graph.js';
import { Inputs } from '../values/inputs.js';
import { isList, type Value } from '../values/value.js';
import type { NodeImplementation, NodeContext } from './node-class.js';

/** List of values per output slot; more than one for list inputs or outputs */
type SlotValues = readonly (readonly Value[])[];

/**
 * Runs one node over its input lists: once per item of the longest list, and shorter lists repeat their last item. A class
 * that takes lists runs once. Results of list slots are joined.
 */
export async function runNode(
  node: GraphNode,
  nodeClass: NodeImplementation,
  inputs: ReadonlyMap<string, readonly Value[]>,
  context: NodeContext,
): Promise<SlotValues> {
  const slots: Value[][] = node.info.outputIsList.map(() => []);
  for (const call of callsOf(node, inputs)) {
    const values = await nodeClass.run(call, context);
    values.forEach((value, slot) => {
      if (node.info.outputIsList[slot] === true && isList(value)) slots[slot]?.push(...value);
      else slots[slot]?.push(value);
    });
  }
  return slots;
}

/** Lazy inputs that a node needs, given the known ones. */
export function lazyNeeds(
  node: GraphNode,
  nodeClass: NodeImplementation,
  inputs: ReadonlyMap<string, readonly Value[]>,
): readonly string[] {
  if (!nodeClass.neededLazyInputs) return [];
  const names = new Set<string>();
  for (const call of callsOf(node, inputs)) for (const name of nodeClass.neededLazyInputs(call)) names.add(name);
  return [...names].filter((name) => node.links.has(name) && !inputs.has(name));
}

function callsOf(node: GraphNode, inputs: ReadonlyMap<string, readonly Value[]>): readonly Inputs[] {
  if (node.info.isInputList) return [new Inputs(inputs)];
  const lengths = [...inputs.values()].map((list) => list.length);
  // No call for an empty list; one call without inputs.
  const calls = lengths.includes(0) ? 0 : Math.max(1, ...lengths);
  return Array.from({ length: calls }, (_, call) => {
    const values = new Map<string, Value>();
    for (const [name, list] of inputs) values.set(name, list[Math.min(call, list.length - 1)] ?? null);
    return new Inputs(values);
  });
}
