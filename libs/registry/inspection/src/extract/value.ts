import type { FunctionDefinition } from './syntax.js';

/** What the source tells about a value of the package. */
export type PythonValue =
  | { readonly kind: 'text'; readonly value: string }
  | NumberValue
  | { readonly kind: 'constant'; readonly value: boolean | null }
  | SequenceValue
  | DictValue
  /** More than one where branches bind a name to different classes. */
  | { readonly kind: 'class'; readonly classes: readonly ClassValue[] }
  | FunctionValue
  | { readonly kind: 'module'; readonly scope: NameScope }
  /** Something from outside of the archive, such as `folder_paths.get_filename_list`. */
  | OutsideValue
  | MadeValue
  | UnknownValue;

export interface OutsideValue {
  readonly kind: 'outside';
  readonly path: string;
  /** What the last name of the path belongs to, where a call returned it. */
  readonly on?: MadeValue;
}

interface NumberValue {
  readonly kind: 'number';
  readonly value: bigint | number;
}

export interface SequenceValue {
  readonly kind: 'tuple' | 'list';
  readonly items: PythonValue[];
  /** Its items are only known in part. */
  open: boolean;
  /** The run of a block in which it was made. */
  readonly madeIn: number;
}

export interface DictValue {
  readonly kind: 'dict';
  /** By the JSON text of the key; only of keys that are known. */
  readonly entries: Map<string, { readonly key: PythonValue; value: PythonValue }>;
  /** It may have more entries. */
  open: boolean;
  /** It may lack entries that are listed here. */
  varying: boolean;
  readonly madeIn: number;
}

export interface ClassValue {
  readonly name: string;
  readonly bases: readonly PythonValue[];
  readonly scope: NameScope;
}

export interface FunctionValue {
  readonly kind: 'function';
  readonly definition: FunctionDefinition;
  readonly scope: NameScope;
  /** The class through which it was read. */
  readonly self?: ClassValue;
  /** The class that defines it. */
  readonly owner?: ClassValue;
}

/** What a call of something outside of the archive returned. */
export interface MadeValue {
  readonly kind: 'made';
  readonly path: string;
  readonly args: readonly PythonValue[];
  readonly named: ReadonlyMap<string, PythonValue>;
  /** What the call is a method of, where another call returned it. */
  readonly on?: MadeValue;
  /** Some arguments are not known. */
  readonly open: boolean;
}

interface UnknownValue {
  readonly kind: 'unknown';
  /** It is a list, whatever its items. */
  readonly isList: boolean;
}

/** Names of a module, of a class body, or of one call of a function. */
export class NameScope {
  readonly names = new Map<string, PythonValue>();
  /** Names that belong to the module's scope (`global`). */
  readonly globals = new Set<string>();
  /** The run of a block in which each name was bound last. */
  readonly boundIn = new Map<string, number>();
  /** The body of a class: functions in it do not see its names. */
  isClass = false;
  /** Of a call of a method: the class through which it is called, and the class that defines it. */
  method?: { readonly self: ClassValue; readonly owner: ClassValue };
  /** The values that a call has returned so far. */
  returned?: PythonValue;

  constructor(
    /** Path of the module, as `nodes/image.py`. */
    readonly path: string,
    /** Where a name is looked up next: the function around it or the module. */
    readonly outer?: NameScope,
  ) {}

  get module(): NameScope {
    return this.outer === undefined ? this : this.outer.module;
  }
}

export const UNKNOWN: UnknownValue = { kind: 'unknown', isList: false };
export const UNKNOWN_LIST: UnknownValue = { kind: 'unknown', isList: true };

export const textOf = (value: PythonValue | undefined): string | undefined =>
  value?.kind === 'text' ? value.value : undefined;

/** Key of `DictValue.entries`; `undefined` where the key is not known. */
export function entryKey(key: PythonValue): string | undefined {
  if (key.kind === 'text') return JSON.stringify(key.value);
  if (key.kind === 'number') return String(key.value);
  return key.kind === 'constant' ? String(key.value) : undefined;
}
