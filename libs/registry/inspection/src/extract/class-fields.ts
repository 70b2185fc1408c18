import type { WfNode } from '@heddle/contracts-registry';
import { isSequence } from './containers.js';
import type { PythonValue } from './value.js';
import { ValueJson } from './value-json.js';

/** What a class says of itself, still without its name. */
export type ClassFields = Omit<WfNode, 'wf_node_name' | 'policy'>;

type Field = Exclude<keyof ClassFields, 'unknown'>;

const FIELDS: readonly Field[] = [
  'category',
  'description',
  'function',
  'deprecated',
  'experimental',
  'input_types',
  'return_types',
  'return_names',
  'output_is_list',
  'output_node',
];

/** A class of which only the name is known. */
export const UNKNOWN_FIELDS: ClassFields = {
  category: '',
  description: '',
  function: '',
  deprecated: false,
  experimental: false,
  input_types: '',
  return_types: '',
  return_names: '',
  output_is_list: [],
  output_node: false,
  unknown: FIELDS,
};

/** Reads single fields from values, and notes the paths of what is not known. An absent value is `undefined`. */
export class FieldReader {
  readonly unknown = new Set<string>();
  readonly json = new ValueJson(this.unknown);

  text(field: Field, value: PythonValue | undefined): string {
    if (value === undefined || isNone(value)) return '';
    if (value.kind === 'text') return value.value;
    this.unknown.add(field);
    return '';
  }

  flag(field: Field, value: PythonValue | undefined): boolean {
    if (value === undefined || isNone(value)) return false;
    if (value.kind === 'constant') return value.value === true;
    this.unknown.add(field);
    return false;
  }

  /** The JSON text of a tuple or list; `otherwise` where the class has none. */
  types(field: Field, value: PythonValue | undefined, otherwise?: PythonValue): string {
    const known = value === undefined || isNone(value) ? otherwise : value;
    return this.json.whole(field, () => {
      if (known === undefined || !isSequence(known) || known.open) return undefined;
      return this.json.array(known.items.map((item, index) => () => this.json.write(item, `${field}.${index}`)));
    });
  }

  /** One for each return type. */
  lists(value: PythonValue | undefined, types: PythonValue | undefined): boolean[] {
    const field = 'output_is_list';
    const isKnown = types !== undefined && isSequence(types) && !types.open;
    if (!isKnown) {
      this.unknown.add(field);
      return [];
    }
    const length = types.items.length;
    if (value === undefined || isNone(value)) return Array.from({ length }, () => false);
    const flags = isSequence(value) && !value.open ? value.items : undefined;
    if (flags === undefined) this.unknown.add(field);
    return types.items.map((_, index) => {
      const flag = flags?.[index];
      if (flag !== undefined && flag.kind !== 'constant') this.unknown.add(`${field}.${index}`);
      return flag?.kind === 'constant' && flag.value === true;
    });
  }
}

const isNone = (value: PythonValue): boolean => value.kind === 'constant' && value.value === null;

/** What two classes have in common, where one or the other has the name. */
export function commonFields(one: ClassFields, other: ClassFields): ClassFields {
  const differ = FIELDS.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
  const blank = Object.fromEntries(differ.map((field) => [field, UNKNOWN_FIELDS[field]]));
  const isKept = (path: string): boolean => !differ.some((field) => path === field || path.startsWith(`${field}.`));
  const unknown = [...one.unknown, ...other.unknown].filter(isKept);
  return { ...one, ...blank, unknown: [...new Set([...unknown, ...differ])] };
}
