import type { Catalogue, InputSpec, NodeClass } from '../catalogue/catalogue.js';
import { expandInputs } from '../check-workflow/expand-inputs.js';
import type { NodeProblem } from '../check-workflow/node-problems.js';
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from '../json/json-value.js';
import { holdsNodes } from '../parse-submission/explain-form.js';
import { expected, nearestOf, noSuchFile, notListed, shown, valueOf, valueText } from './describe-input.js';
import type { Explanation } from './describe-input.js';
import { slotText, typeText } from './describe-link.js';
import { NearestName } from './nearest-name.js';

/** The default of HEDDLE_NODE_INPUTS; misspelled inputs beyond it are not searched. */
const COMPARED_INPUTS = 256;
/** Ids of one or two characters are all similar to each other. */
const MIN_COMPARED_ID = 3;

/**
 * Describes a problem of a node: what is wrong, the value, and what is expected. The only formatter for the API,
 * `heddle run` and `heddle validate`. Free texts of the graph and credentials are not shown.
 */
export function explainProblem(
  workflow: JsonObject,
  catalogue: Catalogue,
  nodeId: string,
  problem: NodeProblem,
): string {
  const { sentence, hint } = explanationOf(workflow, catalogue, nodeId, problem);
  return hint === null ? sentence : `${sentence} ${hint}`;
}

/** The same in two parts, for a caller that may know a better hint. */
export function explanationOf(
  workflow: JsonObject,
  catalogue: Catalogue,
  nodeId: string,
  problem: NodeProblem,
): Explanation {
  const found = described(workflow, catalogue, nodeId, problem);
  return typeof found === 'string' ? { sentence: found, hint: null } : found;
}

function described(
  workflow: JsonObject,
  catalogue: Catalogue,
  nodeId: string,
  { field, reason }: NodeProblem,
): string | Explanation {
  const node = ownValue(workflow, nodeId);
  const className = isJsonObject(node) ? ownValue(node, 'class_type') : undefined;
  const nodeClass = typeof className === 'string' ? (catalogue.classes.get(className) ?? null) : null;
  const held = isJsonObject(node) ? ownValue(node, 'inputs') : undefined;
  const input = nodeClass === null ? null : inputOf(nodeClass, field, held);
  switch (reason) {
    case 'missing_input':
      return `The input ${shown(field)} is missing${input === null ? '' : `: it takes ${expected(input)}`}.${misspelt(nodeClass, field, held)}`;
    case 'bad_link':
      return 'The link is malformed: a link is ["node id", slot], and the slot is a whole number from 0.';
    case 'link_source_not_found':
      return noSuchNode(workflow, held, field);
    case 'link_slot_out_of_range':
      return slotText(workflow, catalogue, held, field);
    case 'type_mismatch':
      return typeText(workflow, catalogue, held, field, input);
    case 'invalid_value_type':
      return `${valueText(input, held)} has the wrong type${input === null ? '' : `: the input takes ${expected(input)}`}.`;
    case 'value_below_min':
      return `${valueText(input, held)} is below the minimum${input === null || input.min === null ? '' : ` of ${input.min}`}.`;
    case 'value_above_max':
      return `${valueText(input, held)} is above the maximum${input === null || input.max === null ? '' : ` of ${input.max}`}.`;
    case 'value_not_in_list':
      return notListed(nodeClass, input, held);
    case 'custom_validation_failed':
      return refusedByClass(nodeClass, input, held);
    case 'invalid_dynamic_input':
      return 'The inputs that depend on this choice cannot be determined. Check the choice first.';
    case 'dependency_cycle':
      return `The link leads back to this node through others: no node in the cycle can run first.`;
    case 'invalid_loop':
      return 'The loop has no matching begin and end.';
    case 'unknown_node_class':
      return unknownClassText(className, catalogue);
    case 'missing_class_type':
      return wrapperText(nodeId, node) ?? 'The node has no class_type. Set class_type to the name of a class.';
    case 'invalid_node':
      return field === 'inputs'
        ? 'The inputs of a node must be an object: {"name": value, …}.'
        : 'A node must be an object: {"class_type": "…", "inputs": {…}}.';
    case 'validation_exception':
      return 'The class cannot check its inputs: each input must have the type that the class declares.';
    case 'unsupported_value':
      return unsupportedText(field, input, held);
  }
}

function inputOf(nodeClass: NodeClass, field: string, held: JsonValue | undefined): InputSpec | null {
  return inputsOf(nodeClass, held).find(({ name }) => name === field) ?? null;
}

function inputsOf(nodeClass: NodeClass, held: JsonValue | undefined): readonly InputSpec[] {
  return nodeClass.hasDynamicInputs && isJsonObject(held) ? expandInputs(nodeClass.inputs, held) : nodeClass.inputs;
}

/** The engine ignores unknown inputs, so a misspelled one shows as a missing one. */
function misspelt(nodeClass: NodeClass | null, field: string, held: JsonValue | undefined): string {
  if (nodeClass === null || !isJsonObject(held)) return '';
  const declared = new Set(inputsOf(nodeClass, held).map(({ name }) => name));
  const unknown = Object.keys(held).filter((name) => !declared.has(name));
  const nearest = new NearestName(unknown.slice(0, COMPARED_INPUTS)).of(field);
  if (nearest === null) return '';
  return ` ${shown(nearest)} is not an input of ${shown(nodeClass.name)}. Did you mean ${shown(field)}?`;
}

function noSuchNode(workflow: JsonObject, held: JsonValue | undefined, field: string): string {
  const link = isJsonObject(held) ? ownValue(held, field) : undefined;
  const id: JsonValue | undefined = Array.isArray(link) ? (link as readonly JsonValue[])[0] : undefined;
  if (typeof id !== 'string') return 'The link leads to a node that the workflow does not have.';
  const nearest = id.length < MIN_COMPARED_ID ? null : nearestOf(workflow, Object.keys(workflow), id);
  return `The link leads to node ${shown(id)}, which the workflow does not have.${nearest === null ? '' : ` Did you mean ${shown(nearest)}?`}`;
}

/** A class's own check gives no reason; for a loader the reason is always the file. */
function refusedByClass(
  nodeClass: NodeClass | null,
  input: InputSpec | null,
  held: JsonValue | undefined,
): string | Explanation {
  const value = input === null ? undefined : valueOf(input.name, held);
  if (input !== null && input.file !== null && typeof value === 'string') return noSuchFile(nodeClass, input, value);
  return `The class${nodeClass === null ? '' : ` ${shown(nodeClass.name)}`} refuses the values of its inputs. If one names a file, the file must be an asset or an input file of the engine.`;
}

function unsupportedText(field: string, input: InputSpec | null, held: JsonValue | undefined): string | Explanation {
  if (field === '') return 'The id of the node is too long. The setting HEDDLE_NODE_ID_BYTES raises this limit.';
  if (field === 'inputs' && input === null)
    return 'The node has too many inputs. The setting HEDDLE_NODE_INPUTS raises this limit.';
  const value = input === null ? undefined : valueOf(input.name, held);
  if (input !== null && input.file !== null && typeof value === 'string') return noSuchFile(null, input, value);
  return 'The value is longer than a text may be, or it is a path that leaves the input folder. The setting HEDDLE_STRING_BYTES raises the limit on texts.';
}

/** In a file with `{"prompt": {…}}` one "node" is the whole graph. */
function wrapperText(nodeId: string, node: JsonValue | undefined): string | null {
  if (!isJsonObject(node) || !holdsNodes(node)) return null;
  return `This is not a node: the whole workflow is wrapped in {${shown(nodeId)}: …}. Remove the wrapper and keep its content.`;
}

function unknownClassText(className: JsonValue | undefined, catalogue: Catalogue): string {
  if (typeof className !== 'string') return 'The class_type must be a string, the name of a class.';
  const nearest = nearestOf(catalogue, catalogue.classes.keys(), className);
  return `The engine has no node class ${shown(className)}.${nearest === null ? '' : ` Did you mean ${shown(nearest)}?`}`;
}
