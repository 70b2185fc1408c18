import { isJsonObject, NearestName, ownValue } from '@heddle/workflow-graph';
import type { Catalogue, JsonObject } from '@heddle/workflow-graph';
import { wrongUsage } from '../failure.js';
import { inputTarget } from './graph-file.js';

const SHOWN_INPUTS = 20;

/**
 * Refuses misspelled targets of --input and --set. A graph may omit optional inputs, so an input that its node lacks is
 * looked up in the class. If the catalogue cannot decide, returns a warning instead.
 */
export async function assertKnownInputs(
  graph: JsonObject,
  targets: readonly string[],
  readCatalogue: () => Promise<Catalogue>,
): Promise<readonly string[]> {
  const absent = targets
    .map((target) => inputTarget(graph, target))
    .flatMap(({ nodeId, input }) => {
      const node = nodeOf(graph, nodeId);
      return node === null || node.inputs.includes(input) ? [] : [{ ...node, input }];
    });
  // Loading a catalogue takes a while, and most targets are in the graph.
  if (absent.length === 0) return [];
  const { classes } = await readCatalogue();
  return absent.flatMap(({ nodeId, className, inputs, input }) => {
    const nodeClass = classes.get(className);
    if (nodeClass === undefined || nodeClass.hasDynamicInputs) {
      if (nodeClass?.inputs.some(({ name }) => name === input) === true) return [];
      return [`node ${nodeId} (${className}) has no input "${input}" in this graph${meant(nodeId, input, inputs)}`];
    }
    const names = nodeClass.inputs.map(({ name }) => name);
    if (names.includes(input)) return [];
    throw wrongUsage(
      `node ${nodeId} (${className}) has no input "${input}"${meant(nodeId, input, names)}`,
      `its inputs are ${names.slice(0, SHOWN_INPUTS).join(', ')}`,
    );
  });
}

interface GraphNode {
  readonly nodeId: string;
  readonly className: string;
  readonly inputs: readonly string[];
}

/** Null if it is not a node: validation reports that. */
function nodeOf(graph: JsonObject, nodeId: string): GraphNode | null {
  const node = ownValue(graph, nodeId);
  if (!isJsonObject(node)) return null;
  const className = ownValue(node, 'class_type');
  const inputs = ownValue(node, 'inputs');
  return typeof className === 'string' && isJsonObject(inputs)
    ? { nodeId, className, inputs: Object.keys(inputs) }
    : null;
}

function meant(nodeId: string, input: string, names: readonly string[]): string {
  const nearest = new NearestName(names).of(input);
  return nearest === null ? '' : `; did you mean ${nodeId}.${nearest}?`;
}
