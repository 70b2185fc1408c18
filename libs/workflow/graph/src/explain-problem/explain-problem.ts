import type { Catalogue, InputSpec, NodeClass } from '../catalogue/catalogue.js';
import { expandInputs } from '../check-workflow/expand-inputs.js';
import { isSafeFileName, plainFileName } from '../check-workflow/file-names.js';
import type { NodeProblem } from '../check-workflow/node-problems.js';
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from '../json/json-value.js';
import { NearestName } from './nearest-name.js';

const SHOWN_OPTIONS = 6;
const SHOWN_LENGTH = 60;
/** A node may hold no more inputs by default (HEDDLE_NODE_INPUTS); a misspelt one beyond them is not looked for. */
const COMPARED_INPUTS = 256;

/**
 * A problem in words: what is wrong and what would be right, in one line. Of the values that the graph holds only the names
 * of files are repeated, and names of nodes, inputs and classes, all shortened.
 */
export function explainProblem(
  workflow: JsonObject,
  catalogue: Catalogue,
  nodeId: string,
  { field, reason }: NodeProblem,
): string {
  const node = ownValue(workflow, nodeId);
  const className = isJsonObject(node) ? ownValue(node, 'class_type') : undefined;
  const nodeClass = typeof className === 'string' ? (catalogue.classes.get(className) ?? null) : null;
  const held = isJsonObject(node) ? ownValue(node, 'inputs') : undefined;
  const input = nodeClass === null ? null : inputOf(nodeClass, field, held);
  switch (reason) {
    case 'missing_input':
      return `needs the input ${shown(field)}${input === null ? '' : `, ${expected(input)}`}${misspelt(nodeClass, field, held)}`;
    case 'bad_link':
      return 'a link is ["node id", slot], the slot a whole number from 0';
    case 'link_source_not_found':
      return `the link leads to no node of the workflow${sourceText(held, field)}`;
    case 'link_slot_out_of_range':
      return slotText(workflow, catalogue, held, field);
    case 'type_mismatch':
      return typeText(workflow, catalogue, held, field, input);
    case 'invalid_value_type':
      return `the value must be ${input === null ? 'of another type' : expected(input)}`;
    case 'value_below_min':
      return input === null || input.min === null
        ? 'the value is too small'
        : `the value must be at least ${input.min}`;
    case 'value_above_max':
      return input === null || input.max === null ? 'the value is too large' : `the value must be at most ${input.max}`;
    case 'value_not_in_list':
      return listText(nodeClass, input, held);
    case 'custom_validation_failed':
      return 'the own check of the class refuses it: for a loader, the file must be an asset or lie in the engine';
    case 'invalid_dynamic_input':
      return 'the inputs that its choice brings along cannot be told';
    case 'dependency_cycle':
      return 'the link leads back to this node: nothing in a ring could run first';
    case 'invalid_loop':
      return 'its loop has no matching begin and end';
    case 'unknown_node_class':
      return unknownClassText(className, catalogue);
    case 'missing_class_type':
      return 'each node needs a class_type, the name of its class';
    case 'invalid_node':
      return 'a node is {"class_type": "...", "inputs": {...}}';
    case 'validation_exception':
      return 'the own check of the class cannot judge what it gets: its inputs must be of the types that it declares';
    case 'unsupported_value':
      return 'the service refuses it: too long, too much, or a path that leaves the input folder';
  }
}

function inputOf(nodeClass: NodeClass, field: string, held: JsonValue | undefined): InputSpec | null {
  return inputsOf(nodeClass, held).find(({ name }) => name === field) ?? null;
}

function inputsOf(nodeClass: NodeClass, held: JsonValue | undefined): readonly InputSpec[] {
  return nodeClass.hasDynamicInputs && isJsonObject(held) ? expandInputs(nodeClass.inputs, held) : nodeClass.inputs;
}

/** The engine ignores inputs that a class does not have, so a misspelt one shows as another that is missing. */
function misspelt(nodeClass: NodeClass | null, field: string, held: JsonValue | undefined): string {
  if (nodeClass === null || !isJsonObject(held)) return '';
  const declared = new Set(inputsOf(nodeClass, held).map(({ name }) => name));
  const unknown = Object.keys(held).filter((name) => !declared.has(name));
  const nearest = new NearestName(unknown.slice(0, COMPARED_INPUTS)).of(field);
  if (nearest === null) return '';
  return `; ${shown(nearest)} is not an input of ${shown(nodeClass.name)}: did you mean ${shown(field)}?`;
}

/** What an input takes: a range, a choice, a link of a type. */
function expected(input: InputSpec): string {
  if (input.file !== null && input.file !== 'path') return 'the name of an asset or input file';
  if (input.options !== null) return `one of ${optionsText(input)}`;
  const { kind, type, min, max } = input;
  if (kind === 'other') return `a link to ${shown(type)}`;
  const word = {
    INT: 'a whole number',
    FLOAT: 'a number',
    STRING: 'a text',
    BOOLEAN: 'true or false',
    list: 'a value',
  };
  const range = min === null || max === null ? '' : ` from ${min} to ${max}`;
  return `${word[kind]}${range}`;
}

function listText(nodeClass: NodeClass | null, input: InputSpec | null, held: JsonValue | undefined): string {
  if (input === null) return 'the value is not in the list';
  const given = isJsonObject(held) ? ownValue(held, input.name) : undefined;
  const value = isJsonObject(given) ? ownValue(given, '__value__') : given;
  if (input.file === null || typeof value !== 'string') return `the value must be one of ${optionsText(input)}`;
  const name = plainFileName(value);
  if (!isSafeFileName(name))
    return `${shown(value)} does not name an input file: the name is a relative path with "/" and without ".."`;
  const rule = nodeClass?.rule?.form === 'existing_file' ? nodeClass.rule : null;
  const files = rule?.input === input.name ? rule.knownFiles : input.options;
  const nearest = files === null ? null : namesOf(files, files).of(name);
  return `no asset or input file named ${shortened(name)}${nearest === null ? '' : `; did you mean ${shortened(nearest)}?`}`;
}

function optionsText({ options }: InputSpec): string {
  const texts = [...(options ?? [])].map((key) => (key.startsWith('\0') ? key.slice(2) : JSON.stringify(key)));
  if (texts.length === 0) return 'none: the engine offers nothing here';
  const more = texts.length > SHOWN_OPTIONS ? ` and ${texts.length - SHOWN_OPTIONS} more` : '';
  return `${texts
    .slice(0, SHOWN_OPTIONS)
    .map((text) => text.slice(0, SHOWN_LENGTH))
    .join(', ')}${more}`;
}

function linkOf(held: JsonValue | undefined, field: string): readonly JsonValue[] {
  const link = isJsonObject(held) ? ownValue(held, field) : undefined;
  return Array.isArray(link) ? link : [];
}

function sourceText(held: JsonValue | undefined, field: string): string {
  const [id] = linkOf(held, field);
  return typeof id === 'string' ? `: there is no ${shown(id)}` : '';
}

function sourceOf(
  workflow: JsonObject,
  catalogue: Catalogue,
  link: readonly JsonValue[],
): { readonly name: string; readonly nodeClass: NodeClass } | null {
  const [id] = link;
  const node = typeof id === 'string' ? ownValue(workflow, id) : undefined;
  const name = isJsonObject(node) ? ownValue(node, 'class_type') : undefined;
  const nodeClass = typeof name === 'string' ? catalogue.classes.get(name) : undefined;
  return nodeClass === undefined ? null : { name: nodeClass.name, nodeClass };
}

function slotText(workflow: JsonObject, catalogue: Catalogue, held: JsonValue | undefined, field: string): string {
  const source = sourceOf(workflow, catalogue, linkOf(held, field));
  if (source === null) return 'the source has no such output';
  const { length } = source.nodeClass.outputs;
  const slots = length === 0 ? 'no outputs' : length === 1 ? 'one output, slot 0' : `the slots 0 to ${length - 1}`;
  return `${shown(source.name)} has ${slots}`;
}

function typeText(
  workflow: JsonObject,
  catalogue: Catalogue,
  held: JsonValue | undefined,
  field: string,
  input: InputSpec | null,
): string {
  const link = linkOf(held, field);
  const source = sourceOf(workflow, catalogue, link);
  const slot = link[1];
  const received = typeof slot === 'number' ? source?.nodeClass.outputs[slot] : undefined;
  const wanted = input === null ? 'another type' : shown(input.type);
  return received === undefined
    ? `the input takes ${wanted}`
    : `the input takes ${wanted}, the link gives ${shown(received)}`;
}

function unknownClassText(className: JsonValue | undefined, catalogue: Catalogue): string {
  if (typeof className !== 'string') return 'class_type must be a text, the name of a class';
  const nearest = namesOf(catalogue, catalogue.classes.keys()).of(className);
  const hint = nearest === null ? '' : `; the nearest is ${shown(nearest)}`;
  return `the engine has no class ${shown(className)}${hint}`;
}

const preparedNames = new WeakMap<object, NearestName>();

/** The names of one part of a catalogue, prepared once: a client that repeats a mistake costs one search. */
function namesOf(part: object, names: Iterable<string>): NearestName {
  const known = preparedNames.get(part) ?? new NearestName(names);
  preparedNames.set(part, known);
  return known;
}

function shown(name: string): string {
  return JSON.stringify(shortened(name));
}

function shortened(name: string): string {
  return name.length > SHOWN_LENGTH ? `${name.slice(0, SHOWN_LENGTH)}…` : name;
}
