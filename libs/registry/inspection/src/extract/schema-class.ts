import { isSequence } from './containers.js';
import { FieldReader, UNKNOWN_FIELDS, type ClassFields } from './class-fields.js';
import { INPUT_TYPES, writeInputTypes } from './input-types.js';
import type { Interpreter } from './interpreter.js';
import { readSchemaInput } from './schema-input.js';
import { typeOfSlot } from './schema-types.js';
import { textOf, UNKNOWN, type ClassValue, type DictValue, type MadeValue, type PythonValue } from './value.js';

export interface SchemaClass {
  /** `node_id` of its schema. */
  readonly names: readonly string[];
  readonly fields: ClassFields;
}

/** A class with `define_schema`. If the schema it returns is not known, its names are those of every schema it makes. */
export function readSchemaClass(one: ClassValue, interpreter: Interpreter): SchemaClass {
  interpreter.madeSchemas.length = 0;
  const method = interpreter.attribute(one, 'define_schema');
  const returned =
    method.kind === 'function' ? interpreter.call(method, { args: [], named: new Map(), open: false }) : UNKNOWN;
  const isSchema = returned.kind === 'made' && interpreter.madeSchemas.includes(returned);
  const schemas = isSchema ? [returned] : interpreter.madeSchemas;
  const ids = schemas.map((made) =>
    made.kind === 'made' ? textOf(made.named.get('node_id') ?? made.args[0]) : undefined,
  );
  return {
    names: [...new Set(ids.filter((id) => id !== undefined))],
    fields: isSchema ? readSchema(returned) : UNKNOWN_FIELDS,
  };
}

function readSchema(schema: MadeValue): ClassFields {
  const reader = new FieldReader();
  const given = (name: string): PythonValue | undefined =>
    schema.named.get(name) ?? (schema.open ? UNKNOWN : undefined);
  const outputs = given('outputs');
  const slots = outputs !== undefined && isSequence(outputs) && !outputs.open ? outputs.items : undefined;
  const ofSlots = (read: (slot: PythonValue) => PythonValue): PythonValue =>
    outputs === undefined || slots !== undefined ? list((slots ?? []).map(read)) : UNKNOWN;
  const types = ofSlots(slotType);
  const fields = {
    category: reader.text('category', given('category')),
    description: reader.text('description', given('description')),
    function: 'execute',
    deprecated: reader.flag('deprecated', given('is_deprecated')),
    experimental: reader.flag('experimental', given('is_experimental')),
    input_types: reader.json.whole(INPUT_TYPES, () =>
      writeInputTypes(inputGroups(given('inputs'), given('hidden')), reader.json),
    ),
    return_types: reader.types('return_types', types),
    return_names: reader.types('return_names', ofSlots(slotName)),
    output_is_list: reader.lists(
      ofSlots((slot) => slotParameter(slot, 'is_output_list', 3)),
      types,
    ),
    output_node: reader.flag('output_node', given('is_output_node')),
  };
  return { ...fields, unknown: [...reader.unknown] };
}

const list = (items: PythonValue[]): PythonValue => ({ kind: 'list', items, open: false, madeIn: 0 });

function slotType(slot: PythonValue): PythonValue {
  const type = slot.kind === 'made' ? typeOfSlot(slot) : undefined;
  return type === undefined ? UNKNOWN : { kind: 'text', value: type };
}

function slotName(slot: PythonValue): PythonValue {
  const name = slotParameter(slot, 'display_name', 1);
  const isAbsent = name.kind === 'constant' || (name.kind === 'text' && name.value === '');
  return isAbsent ? slotType(slot) : name;
}

/** `None` where it is not given. */
function slotParameter(slot: PythonValue, name: string, index: number): PythonValue {
  if (slot.kind !== 'made') return UNKNOWN;
  // An output of a combo has its options before the last parameters.
  const place = /Combo\.Output$/.test(slot.path) && index > 1 ? index + 1 : index;
  return slot.named.get(name) ?? slot.args[place] ?? (slot.open ? UNKNOWN : { kind: 'constant', value: null });
}

function inputGroups(inputs: PythonValue | undefined, hidden: PythonValue | undefined): PythonValue {
  if (inputs !== undefined && (!isSequence(inputs) || inputs.open)) return UNKNOWN;
  const groups = { required: emptyDict(), optional: emptyDict(), hidden: emptyDict() };
  const all = emptyDict();
  for (const item of inputs?.items ?? []) {
    const input = readSchemaInput(item);
    if (input === undefined) all.open = true;
    else put(groups[input.group], input.name, input.value);
  }
  const names = hidden === undefined ? [] : isSequence(hidden) && !hidden.open ? hidden.items : undefined;
  groups.hidden.open = names === undefined;
  for (const item of names ?? []) {
    const name = item.kind === 'outside' ? item.path.replace(/^.*\./, '') : undefined;
    if (name === undefined) groups.hidden.open = true;
    else put(groups.hidden, name, list([{ kind: 'text', value: name.toUpperCase() }]));
  }
  put(all, 'required', groups.required);
  if (groups.optional.entries.size > 0) put(all, 'optional', groups.optional);
  if (groups.hidden.entries.size > 0 || groups.hidden.open) put(all, 'hidden', groups.hidden);
  return all;
}

const emptyDict = (): DictValue => ({ kind: 'dict', entries: new Map(), open: false, varying: false, madeIn: 0 });

function put(dict: DictValue, name: string, value: PythonValue): void {
  dict.entries.set(JSON.stringify(name), { key: { kind: 'text', value: name }, value });
}
