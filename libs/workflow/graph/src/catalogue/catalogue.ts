import type { CustomRule } from './custom-rules.js';

/** How the engine treats a constant of a declared type. */
export type InputKind = 'INT' | 'FLOAT' | 'STRING' | 'BOOLEAN' | 'list' | 'other';

/**
 * Which files an input names: `listed` ones must be known, `free` text may name one. A `path` is opened by the engine as it
 * stands (what its own pages recorded or uploaded): it must stay inside the engine's folders, and names no asset.
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
  /** Allowed values by equality key; null where nothing is compared. */
  readonly options: ReadonlySet<string> | null;
  readonly multiselect: boolean;
  readonly file: FileRule | null;
  /** The class's own check names this input, so ranges and lists are left to it. */
  readonly ownCheck: boolean;
  /** A name that every JavaScript object inherits: look it up with care. */
  readonly inheritedName: boolean;
  readonly dynamic: DynamicInput | null;
}

/** Inputs that exist depending on what a node holds (third generation of the engine's node interface). */
export type DynamicInput =
  | { readonly form: 'autogrow'; readonly names: readonly string[]; readonly min: number; readonly template: InputSpec }
  | { readonly form: 'combo'; readonly branches: ReadonlyMap<string, readonly InputSpec[]> }
  | { readonly form: 'slot'; readonly inputs: readonly InputSpec[] };

/** A node class of the engine. */
export interface NodeClass {
  readonly name: string;
  readonly inputs: readonly InputSpec[];
  /** Output types by slot; a list type is its JSON text. */
  readonly outputs: readonly string[];
  readonly isOutput: boolean;
  readonly hasDynamicInputs: boolean;
  readonly rule: CustomRule | null;
}

/** The node classes that one engine offers, ready for validation. */
export interface Catalogue {
  readonly classes: ReadonlyMap<string, NodeClass>;
  /** True for an engine in whose description no class has `is_input_list`: it leaves type-string combos unchecked. */
  readonly older: boolean;
}
