import { typeOfSlot } from './schema-types.js';
import { textOf, UNKNOWN, type DictValue, type MadeValue, type PythonValue } from './value.js';

/** The order of an input's parameters; each type adds its own behind those of all. */
const FIRST = ['id', 'display_name', 'optional', 'tooltip', 'lazy'];
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  Int: [...FIRST, 'default', 'min', 'max', 'step', 'control_after_generate'],
  Float: [...FIRST, 'default', 'min', 'max', 'step', 'round'],
  Boolean: [...FIRST, 'default', 'label_on', 'label_off'],
  String: [...FIRST, 'multiline', 'placeholder', 'default'],
  Combo: ['id', 'options', ...FIRST.slice(1), 'default'],
  MultiCombo: ['id', 'options', ...FIRST.slice(1), 'default'],
  MultiType: ['id', 'types', ...FIRST.slice(1)],
};

/** Options that the class listing spells in another way. */
const OPTION_NAMES: Readonly<Record<string, string>> = {
  force_input: 'forceInput',
  widget_type: 'widgetType',
  raw_link: 'rawLink',
  dynamic_prompts: 'dynamicPrompts',
  display_mode: 'display',
};

const NO_OPTIONS = new Set(['id', 'optional', 'types', 'extra_dict']);
const UPLOADS: Readonly<Record<string, string>> = {
  image: 'image_upload',
  audio: 'audio_upload',
  video: 'video_upload',
  model: 'file_upload',
};

interface SchemaInput {
  readonly name: string;
  readonly group: 'required' | 'optional';
  /** `(TYPE, {options})`, as a classic class writes it. */
  readonly value: PythonValue;
}

/** An input of a schema such as `io.Int.Input('width', default=512)`; `undefined` where its name or group is not known. */
export function readSchemaInput(made: PythonValue): SchemaInput | undefined {
  if (made.kind !== 'made' || !made.path.endsWith('.Input')) return undefined;
  const given = parametersOf(made);
  const name = textOf(given.get('id'));
  const optional = given.get('optional');
  if (name === undefined || (optional !== undefined && optional.kind !== 'constant')) return undefined;
  const type = typeOfSlot(made);
  const typeValue: PythonValue = type === undefined ? UNKNOWN : { kind: 'text', value: type };
  return {
    name,
    group: optional?.value === true ? 'optional' : 'required',
    value: { kind: 'tuple', items: [typeValue, optionsOf(given, made.open)], open: false, madeIn: 0 },
  };
}

function parametersOf({ path, args, named, on }: MadeValue): Map<string, PythonValue> {
  const [, type = ''] = /(\w+)\.Input$/.exec(path) ?? [];
  const names = (on === undefined ? PARAMETERS[type] : undefined) ?? FIRST;
  return new Map([...args.map((value, index) => [names[index] ?? `#${index}`, value] as const), ...named]);
}

function optionsOf(given: ReadonlyMap<string, PythonValue>, open: boolean): DictValue {
  const options: DictValue = { kind: 'dict', entries: new Map(), open, varying: false, madeIn: 0 };
  const put = (name: string, value: PythonValue): void =>
    void options.entries.set(JSON.stringify(name), { key: { kind: 'text', value: name }, value });
  for (const [name, value] of given) {
    const isNone = value.kind === 'constant' && value.value === null;
    if (isNone || NO_OPTIONS.has(name)) continue;
    if (name.startsWith('#')) options.open = true;
    else if (name === 'upload')
      put(UPLOADS[lastName(value)] ?? name, UPLOADS[lastName(value)] ? { kind: 'constant', value: true } : UNKNOWN);
    else put(OPTION_NAMES[name] ?? name, plain(name, value));
  }
  const extra = given.get('extra_dict');
  if (extra?.kind === 'dict') for (const [key, entry] of extra.entries) options.entries.set(key, entry);
  options.open ||= extra !== undefined && (extra.kind !== 'dict' || extra.open || extra.varying);
  return options;
}

/** Members of the engine's enumerations are written as their names. */
function plain(name: string, value: PythonValue): PythonValue {
  const isMember = value.kind === 'outside' && /\b(?:NumberDisplay|FolderType)\.\w+$/.test(value.path);
  if (isMember) return { kind: 'text', value: lastName(value) };
  return name === 'options' && value.kind !== 'list' && value.kind !== 'tuple'
    ? { kind: 'unknown', isList: true }
    : value;
}

const lastName = (value: PythonValue): string => (value.kind === 'outside' ? value.path.replace(/^.*\./, '') : '');
