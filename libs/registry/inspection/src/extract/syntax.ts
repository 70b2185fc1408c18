/** The part of Python that extraction evaluates. What is outside of it is an `unknown` expression. */
export type Expression =
  | { readonly kind: 'text'; readonly value: string }
  /** An f-string: texts and what stands in its holes. */
  | { readonly kind: 'format'; readonly parts: readonly Expression[] }
  /** As the source writes it, such as `0x10` or `1_000.5`. */
  | { readonly kind: 'number'; readonly source: string }
  | { readonly kind: 'constant'; readonly value: boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'attribute'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'item'; readonly object: Expression; readonly index: Expression }
  | { readonly kind: 'sequence'; readonly of: 'tuple' | 'list'; readonly items: readonly Item[] }
  | { readonly kind: 'dict'; readonly entries: readonly Entry[] }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'negative'; readonly operand: Expression }
  /** `a if c else b`: one of the two. */
  | { readonly kind: 'either'; readonly options: readonly Expression[] }
  | { readonly kind: 'call'; readonly callee: Expression; readonly args: readonly Argument[] }
  | Comprehension
  | { readonly kind: 'unknown' };

export interface Item {
  readonly value: Expression;
  /** `*value`. */
  readonly spread: boolean;
}

/** Without a key: `**value`. */
export interface Entry {
  readonly key?: Expression;
  readonly value: Expression;
}

export interface Argument {
  readonly name?: string;
  readonly spread?: '*' | '**';
  readonly value: Expression;
}

export interface Comprehension {
  readonly kind: 'comprehension';
  /** Present in one of a dict. */
  readonly key?: Expression;
  readonly value: Expression;
  readonly loops: readonly { readonly target: Expression; readonly source: Expression }[];
  readonly hasCondition: boolean;
}

export type PythonStatement =
  | { readonly kind: 'assign'; readonly targets: readonly Expression[]; readonly value: Expression }
  | { readonly kind: 'augment'; readonly target: Expression; readonly operator: string; readonly value: Expression }
  | { readonly kind: 'expression'; readonly value: Expression }
  | { readonly kind: 'import'; readonly name: string; readonly path: readonly string[] }
  | FromImport
  | ClassStatement
  | { readonly kind: 'function'; readonly definition: FunctionDefinition }
  /** Each block may run or not, as in `if` and `try`; one of them does if it is `exhaustive`. */
  | { readonly kind: 'branches'; readonly blocks: readonly Block[]; readonly exhaustive: boolean }
  | { readonly kind: 'for'; readonly target: Expression; readonly source: Expression; readonly body: Block }
  | { readonly kind: 'return'; readonly value: Expression }
  | { readonly kind: 'global'; readonly names: readonly string[] }
  | { readonly kind: 'delete'; readonly target: Expression }
  /** `raise`, `break` and `continue`: what follows in the block does not run. */
  | { readonly kind: 'stop' };

export type Block = readonly PythonStatement[];

export interface FromImport {
  readonly kind: 'from';
  /** How many dots; 0 for an absolute import. */
  readonly level: number;
  readonly path: readonly string[];
  /** Absent: `*`. */
  readonly names?: readonly { readonly name: string; readonly as: string }[];
}

export interface ClassStatement {
  readonly kind: 'class';
  readonly name: string;
  readonly bases: readonly Expression[];
  readonly body: Block;
}

export interface FunctionDefinition {
  readonly name: string;
  /** Its decorators, as the source writes them, without the `@`. */
  readonly decorators: readonly string[];
  /** UTF-16 indices of its source without decorators, in the text of its module. */
  readonly start: number;
  readonly end: number;
}

/** A function's parameters and body, read when it is called. */
export interface FunctionBody {
  readonly parameters: readonly { readonly name: string; readonly value?: Expression }[];
  readonly body: Block;
}
