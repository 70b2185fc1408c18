import type { CustomRule } from './custom-rules.js';

/** How the engine treats a constant of a declared type. */
export type InputKind = 'INT' | 'FLOAT' | 'STRING' | 'BOOLEAN' | 'list' | 'other';

/**
 * Which files an input names: `listed` ones must be known, `free` text may name one. The engine opens a `path` as given
 * (recorded or uploaded by its own pages): it must stay inside the engine's folders, and never names an asset.
 */
export type FileRule = 'listed' | 'free' | 'path';

/** One declared input of a node class, as the engine's `/object_info` describes it. */
export interface InputSpec {
  readonly name: string;
  readonly required: boolean;
  readonly kind: InputKind;
  /** The declared type: a type name, a comma-joined union, or the JSON text of a list of options. */
  readonly type: string;
  readonly min: number | bigint | null;
  readonly max: number | bigint | null;
  /** Allowed values by equality key; null if any value is allowed. */
  readonly options: ReadonlySet<string> | null;
  readonly multiselect: boolean;
  readonly file: FileRule | null;
  /** The class's own check covers this input, so ranges and lists are not applied. */
  readonly ownCheck: boolean;
  /** The name is also a member of Object.prototype: look it up with `ownValue`. */
  readonly inheritedName: boolean;
  readonly dynamic: DynamicInput | null;
}

/** Inputs that depend on other values of the node (third generation of the engine's node interface). */
export type DynamicInput =
  | { readonly form: 'autogrow'; readonly names: readonly string[]; readonly min: number; readonly template: InputSpec }
  | { readonly form: 'combo'; readonly branches: ReadonlyMap<string, readonly InputSpec[]> }
  | { readonly form: 'slot'; readonly inputs: readonly InputSpec[] }
  /** Every other input that a node holds: what the class declares is not known. */
  | { readonly form: 'any' };

/** A node class of the engine, or of a package. What is not known of one is not checked. */
export interface NodeClass {
  readonly name: string;
  readonly inputs: readonly InputSpec[];
  /** Output types by slot; a list type is its JSON text. */
  readonly outputs: readonly string[];
  readonly isOutput: boolean;
  /** It is not known whether it is an output node. */
  readonly mayBeOutput: boolean;
  /** It may have more outputs than `outputs` lists. */
  readonly hasOtherOutputs: boolean;
  readonly hasDynamicInputs: boolean;
  readonly rule: CustomRule | null;
}

/** The node classes that one engine offers, ready for validation. */
export interface Catalogue {
  readonly classes: ReadonlyMap<string, NodeClass>;
  /** True for an engine without `is_input_list` in any class description: it does not check type-string combos. */
  readonly older: boolean;
  /** The engine has more classes than are listed: a class that is not listed is not checked. Absent: it has no others. */
  readonly hasOthers?: boolean;
}
