import type { Catalogue, NodeClass } from '../catalogue/catalogue.js';
import { UNKNOWN_CLASS } from '../catalogue/unknown-parts.js';
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from '../json/json-value.js';
import { exceedsBytes, type GraphLimits } from './graph-limits.js';
import type { ProblemLog } from './problem-log.js';

/** The nodes of a workflow, numbered in the order of their keys. */
export interface NodeSurvey {
  readonly ids: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Null for an unknown class. */
  readonly classes: readonly (NodeClass | null)[];
  /** Null if `inputs` is not an object. */
  readonly inputs: readonly (JsonObject | null)[];
  readonly outputs: readonly number[];
  /** Those that may be outputs: it is not known. */
  readonly possibleOutputs: readonly number[];
}

/** Every node, even if no output depends on it, must be an object with a known class (decisions, Validation). */
export function surveyNodes(
  workflow: JsonObject,
  catalogue: Catalogue,
  limits: GraphLimits,
  log: ProblemLog,
): NodeSurvey {
  const ids = Object.keys(workflow);
  const numbers = new Map<string, number>();
  const classes: (NodeClass | null)[] = [];
  const inputs: (JsonObject | null)[] = [];
  const outputs: number[] = [];
  const possibleOutputs: number[] = [];
  for (let node = 0; node < ids.length; node++) {
    const id = ids[node]!;
    const given = id === '__proto__' ? ownValue(workflow, id) : workflow[id];
    numbers.set(id, node);
    const tooLong = exceedsBytes(id, limits.maxNodeIdBytes);
    if (tooLong || !isJsonObject(given)) {
      log.add(node, '', tooLong ? 'unsupported_value' : 'invalid_node', 'anywhere');
      classes.push(null);
      inputs.push(null);
      continue;
    }
    const nodeClass = classOf(given, node, catalogue, log);
    classes.push(nodeClass);
    inputs.push(inputsOf(given, node, nodeClass, log));
    if (nodeClass !== null && nodeClass.isOutput) outputs.push(node);
    else if (nodeClass !== null && nodeClass.mayBeOutput) possibleOutputs.push(node);
  }
  return { ids, numbers, classes, inputs, outputs, possibleOutputs };
}

function classOf(given: JsonObject, node: number, catalogue: Catalogue, log: ProblemLog): NodeClass | null {
  const name: JsonValue | undefined = given.class_type;
  if (typeof name === 'string') {
    const known = catalogue.classes.get(name);
    if (known !== undefined) return known;
    if (catalogue.hasOthers === true) return UNKNOWN_CLASS;
  }
  const missing = name === undefined || name === null;
  log.add(node, 'class_type', missing ? 'missing_class_type' : 'unknown_node_class', 'anywhere');
  return null;
}

function inputsOf(given: JsonObject, node: number, nodeClass: NodeClass | null, log: ProblemLog): JsonObject | null {
  const { inputs } = given;
  if (inputs === undefined) {
    if (nodeClass !== null) log.add(node, 'inputs', 'invalid_node');
    return null;
  }
  if (isJsonObject(inputs)) return inputs;
  log.add(node, 'inputs', 'invalid_node', 'anywhere');
  // The older engine also looks up inputs in a list or a string, and finds none.
  for (const input of nodeClass?.inputs ?? []) {
    if (input.required && (Array.isArray(inputs) || typeof inputs === 'string'))
      log.add(node, input.name, 'missing_input');
  }
  return null;
}
