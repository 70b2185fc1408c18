import type { Node, Tree, TreeCursor } from 'web-tree-sitter';
import { constantText } from './constant-text.js';
import { memberOf } from './package-names.js';
import type { ExportedName, ImportedNames } from './package-names.js';
import type { ScanBudget } from './scan-budget.js';

/** Ordinary code of 1 MiB needs a third of this; a file that needs more was made to exhaust the scan. */
const MAX_STEPS = 600_000;
/** Steps between two looks at the budget. */
const LOOK_STEPS = 256;
/** What a string costs, in steps. */
const STRING_STEPS = 5;
/** What a text in many parts costs, in steps. */
const PARTS_STEPS = 200;
const IN_PARTS: ReadonlySet<string> = new Set(['binary_operator', 'concatenated_string', 'parenthesized_expression']);
const MAX_WALK = 500;
const MAX_DEPTH = 16;
const MAX_VALUES = 16;
/** Longer names are of no module, and would be compared again and again. */
export const MAX_NAME = 100;

/** Decorators that one above them is taken to call. */
const MAX_DECORATORS = 8;

const MAX_STARS = 8;

const MODULE = -1;
/** Keys of bindings of the module to names without a dot. */
const IS_OF_MODULE = /^-1:[^.]+$/;
const MAIN = '__main__';

/** A call in a Python file, also that of a decorator, whose arguments are the decorators below it. */
export interface PythonCall {
  readonly node: Node;
  /** What is called, by its full name: `subprocess.run` for `sp.run` after `import subprocess as sp`; empty if not known. */
  readonly name: string;
  readonly args: readonly Node[];
  /** The innermost function around it. */
  readonly scope: number;
  /** Runs when the module is imported: outside of functions, and not below `if __name__ == "__main__"`. */
  readonly atImport: boolean;
}

/** Thrown where a file takes more steps to scan than any ordinary file. */
export class ScanTooLong extends Error {
  override readonly name = 'ScanTooLong';
}

/** The calls and names of one Python file. The syntax tree must live as long as this object is used. */
export class PythonSource {
  readonly calls: PythonCall[] = [];
  readonly strings: Node[] = [];
  /** Functions of the file by their place. */
  readonly functions = new Map<number, { readonly name: string; readonly end: number; readonly node: Node }>();
  readonly #parents = new Map<number, number>();
  readonly #bindings = new Map<string, Node[]>();
  /** What names are bound to a part of: by loops and by `with`. */
  readonly #sources = new Map<string, Node[]>();
  readonly imports = new Map<string, string>();
  /** Modules of which all names are imported. */
  readonly stars: string[] = [];
  readonly #starred = new Map<string, ExportedName | null>();
  /** Names of the functions that are called, by the id of the call's node. */
  readonly #called = new Map<number, string>();
  #steps = 0;
  #nextLook = LOOK_STEPS;

  constructor(
    readonly text: string,
    tree: Tree,
    private readonly budget: ScanBudget,
    private readonly imported: ImportedNames = () => undefined,
  ) {
    this.#collect(tree.rootNode);
  }

  /** The name of what an expression stands for, as `os.system`; `x()` for the result of `x`; empty if not known. */
  nameOf(node: Node, scope: number, depth = 0): string {
    this.#step();
    if (depth > MAX_DEPTH) return '';
    const field = (name: string): string => {
      const child = node.childForFieldName(name);
      return child === null ? '' : this.nameOf(child, scope, depth + 1);
    };
    switch (node.type) {
      case 'identifier':
        return this.#nameOfIdentifier(node.text, scope, depth);
      case 'attribute': {
        const object = field('object');
        const name = `${object}.${node.childForFieldName('attribute')?.text ?? ''}`;
        if (object === '' || name.length > MAX_NAME) return '';
        return this.imported(name)?.stands || withoutBuiltins(name);
      }
      case 'subscript': {
        const key = node.childForFieldName('subscript');
        const text = key === null ? undefined : constantText(key);
        return text === undefined ? '' : itemOf(field('value'), text);
      }
      case 'named_expression':
        return field('value');
      case 'assignment':
        return field('right');
      case 'parenthesized_expression':
      case 'await':
        return node.namedChildCount === 1 ? this.nameOf(node.namedChild(0)!, scope, depth + 1) : '';
      case 'call':
        return this.#nameOfResult(node, scope, depth);
      default:
        return '';
    }
  }

  /** The values that a name was given in a scope or in those around it, also by `+=`, `append` and `extend`. */
  valuesOf(name: string, scope: number): readonly Node[] {
    for (let at: number | undefined = scope; at !== undefined; at = this.#parents.get(at)) {
      const values = this.#bindings.get(`${at}:${name}`);
      if (values !== undefined) return values;
    }
    return [];
  }

  /** What a loop over or a `with` of gives a name its value. */
  sourcesOf(name: string, scope: number): readonly Node[] {
    for (let at: number | undefined = scope; at !== undefined; at = this.#parents.get(at)) {
      const values = this.#sources.get(`${at}:${name}`);
      if (values !== undefined) return values;
    }
    return [];
  }

  /** The names that the module binds itself: by assignments and by functions. */
  *moduleNames(): Iterable<string> {
    for (const key of this.#bindings.keys()) if (IS_OF_MODULE.test(key)) yield key.slice(`${MODULE}:`.length);
    for (const [place, { name }] of this.functions) if (name !== '' && this.#parents.get(place) === MODULE) yield name;
  }

  /** What another file of the package gives a name; undefined if none does. */
  importedAs(name: string, scope: number): ExportedName | undefined {
    const [first = '', ...rest] = name.split('.');
    if (this.valuesOf(first, scope).length > 0) return undefined;
    const known = this.imports.get(first);
    if (known !== undefined) return known.startsWith('.') ? this.imported([known, ...rest].join('.')) : undefined;
    return rest.length > 0 ? undefined : this.#fromStars(first);
  }

  /** The function around a function; undefined for the module. */
  around(scope: number): number | undefined {
    return this.#parents.get(scope);
  }

  /** Counts steps that are taken outside of this class. */
  spend(steps: number): void {
    this.#step(steps);
  }

  /** The text of an expression that is written out; undefined for anything else. */
  textOf(node: Node): string | undefined {
    this.#step(IN_PARTS.has(node.type) ? PARTS_STEPS : STRING_STEPS);
    return constantText(node);
  }

  /** The strings, names, calls and decorators in an expression, in their order; of a huge one the first. */
  leaves(node: Node): Node[] {
    const leaves: Node[] = [];
    const cursor = node.walk();
    try {
      for (let count = 0; count < MAX_WALK; count += 1) {
        const type = cursor.nodeType;
        this.#step(type === 'string' ? STRING_STEPS : 1);
        if (isLeaf(type, cursor)) leaves.push(cursor.currentNode);
        if (type !== 'string' && cursor.gotoFirstChild()) continue;
        while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return leaves;
      }
      return leaves;
    } finally {
      cursor.delete();
    }
  }

  #collect(root: Node): void {
    const open: { place: number; end: number }[] = [];
    const mains = this.text.includes(MAIN) ? mainBlocks(root) : [];
    const decorators = new Map<number, readonly Node[]>();
    // Nodes come in the order of the text, and so do the blocks.
    let main = 0;
    for (const node of root.descendantsOfType(COLLECTED)) {
      this.#step(0.5);
      const at = node.startIndex;
      while (main < mains.length && mains[main]![1] <= at) main += 1;
      while (open.length > 0 && at >= open[open.length - 1]!.end) open.pop();
      const scope = open[open.length - 1]?.place ?? MODULE;
      switch (node.type) {
        case 'function_definition':
        case 'lambda': {
          // The keyword `lambda` is a node of that type, too, at the same place.
          if (!node.isNamed) break;
          // Decorators and defaults run at import, but are not worth a second walk.
          const name = node.childForFieldName('name')?.text ?? '';
          this.functions.set(at, { name, end: node.endIndex, node });
          this.#parents.set(at, scope);
          open.push({ place: at, end: node.endIndex });
          break;
        }
        case 'import_statement':
        case 'import_from_statement':
          this.#noteImport(node);
          break;
        case 'call':
          this.#noteCall(node, scope, scope === MODULE && !(main < mains.length && mains[main]![0] <= at));
          break;
        case 'decorated_definition':
          noteDecorators(node, decorators);
          break;
        case 'decorator':
          this.calls.push({ node, name: '', args: decorators.get(node.id) ?? [], scope, atImport: scope === MODULE });
          break;
        case 'string':
          this.strings.push(node);
          break;
        case 'for_statement':
        case 'for_in_clause':
          this.#noteSource(node.childForFieldName('left'), node.childForFieldName('right'), scope);
          break;
        case 'as_pattern':
          this.#noteSource(node.childForFieldName('alias'), node.namedChild(0), scope);
          break;
        default:
          this.#noteBinding(node, scope);
      }
    }
    // Only now: names may be given after the call that uses them. The last first, because inner calls come after outer ones.
    for (let index = this.calls.length - 1; index >= 0; index -= 1) {
      const call = this.calls[index]!;
      const target = calledBy(call.node);
      const name = target === null ? '' : this.nameOf(target, call.scope);
      this.#called.set(call.node.id, name);
      this.calls[index] = { ...call, name };
    }
  }

  #noteCall(node: Node, scope: number, atImport: boolean): void {
    const list = node.childForFieldName('arguments');
    const args = list?.type === 'argument_list' ? list.namedChildren : list === null ? [] : [list];
    this.calls.push({ node, name: '', args, scope, atImport });
    const target = node.childForFieldName('function');
    const object = target?.type === 'attribute' ? target.childForFieldName('object') : null;
    if (
      object?.type !== 'identifier' ||
      !/^(append|extend|insert)$/.test(target!.childForFieldName('attribute')!.text)
    ) {
      return;
    }
    for (const arg of args) this.#bind(object.text, scope, arg);
  }

  #noteBinding(node: Node, scope: number): void {
    const value = node.childForFieldName(node.type === 'named_expression' ? 'value' : 'right');
    const target = node.childForFieldName(node.type === 'named_expression' ? 'name' : 'left');
    if (value === null || target === null) return;
    if (target.type === 'identifier') this.#bind(target.text, scope, value);
    // Attributes of `self` are shared by the methods of a class.
    else if (target.type === 'attribute') this.#bind(target.text.slice(0, MAX_NAME), MODULE, value);
    else for (const name of target.namedChildren) if (name.type === 'identifier') this.#bind(name.text, scope, value);
  }

  #noteSource(target: Node | null, source: Node | null, scope: number): void {
    if (target === null || source === null) return;
    for (const name of target.type === 'identifier' ? [target] : target.namedChildren) {
      if (name.type === 'identifier') this.#bind(name.text, scope, source, this.#sources);
    }
  }

  #bind(name: string, scope: number, value: Node, bindings = this.#bindings): void {
    const key = `${scope}:${name}`;
    const values = bindings.get(key);
    if (values === undefined) bindings.set(key, [value]);
    else if (values.length < MAX_VALUES) values.push(value);
  }

  #noteImport(node: Node): void {
    const from = node.childForFieldName('module_name')?.text;
    if (from?.startsWith('.') === true && node.namedChildren.some(({ type }) => type === 'wildcard_import')) {
      if (this.stars.length < MAX_STARS) this.stars.push(from);
    }
    for (const item of node.childrenForFieldName('name')) {
      const aliased = item.type === 'aliased_import';
      const name = (aliased ? item.childForFieldName('name') : item)?.text ?? '';
      const alias = aliased ? item.childForFieldName('alias')?.text : undefined;
      if (from !== undefined) this.imports.set(alias ?? name, memberOf(from, name));
      // `import os.path` binds `os`.
      else this.imports.set(alias ?? name.split('.')[0]!, alias === undefined ? name.split('.')[0]! : name);
    }
  }

  /** A name is asked for again and again, and each time of every module. */
  #fromStars(name: string): ExportedName | undefined {
    if (this.stars.length === 0) return undefined;
    const known = this.#starred.get(name);
    if (known !== undefined) return known ?? undefined;
    this.#step(this.stars.length);
    const found = this.stars.map((star) => this.imported(memberOf(star, name))).find((one) => one !== undefined);
    this.#starred.set(name, found ?? null);
    return found;
  }

  #nameOfIdentifier(name: string, scope: number, depth: number): string {
    for (const value of this.valuesOf(name, scope).slice(0, 3)) {
      // A name that is given to itself again, as `run = run`, must end too.
      const given = this.nameOf(value, scope, depth + 4);
      if (given !== '') return given;
    }
    const known = this.importedAs(name, scope)?.stands;
    return known || withoutBuiltins(this.imports.get(name) ?? name);
  }

  #nameOfResult(node: Node, scope: number, depth: number): string {
    const target = node.childForFieldName('function');
    const name = this.#called.get(node.id) ?? (target === null ? '' : this.nameOf(target, scope, depth + 1));
    if (!/^(__import__|importlib\.import_module|importlib\.__import__|getattr|vars)$/.test(name)) {
      return name === '' || name.length > MAX_NAME ? '' : `${name}()`;
    }
    const [first, second] = node.childForFieldName('arguments')?.namedChildren ?? [];
    const text = (arg: Node | undefined): string | undefined => (arg === undefined ? undefined : constantText(arg));
    if (name.includes('import')) return text(first) ?? '';
    if (first === undefined) return `${name}()`;
    const object = this.nameOf(first, scope, depth + 1);
    return name === 'vars' ? object : itemOf(object, text(second) ?? '');
  }

  #step(steps = 1): void {
    this.#steps += steps;
    if (this.#steps < this.#nextLook) return;
    this.#nextLook = this.#steps + LOOK_STEPS;
    if (this.#steps > MAX_STEPS || this.budget.isSpent()) throw new ScanTooLong();
  }
}

const COLLECTED = [
  'as_pattern',
  'assignment',
  'augmented_assignment',
  'call',
  'decorated_definition',
  'decorator',
  'for_in_clause',
  'for_statement',
  'function_definition',
  'import_from_statement',
  'import_statement',
  'lambda',
  'named_expression',
  'string',
];

/** What a call or a decorator calls. */
export function calledBy(node: Node): Node | null {
  return node.type === 'decorator' ? node.namedChild(0) : node.childForFieldName('function');
}

/** What the decorators of a definition are given, by their ids. */
function noteDecorators(definition: Node, found: Map<number, readonly Node[]>): void {
  const list = definition.namedChildren.filter(({ type }) => type === 'decorator');
  list.forEach(({ id }, index) => found.set(id, list.slice(index + 1, index + 1 + MAX_DECORATORS)));
}

function isLeaf(type: string, cursor: TreeCursor): boolean {
  if (type === 'string' || type === 'call' || type === 'decorator') return true;
  const isName =
    type === 'attribute' || (type === 'identifier' && !/^(attribute|name)$/.test(cursor.currentFieldName ?? ''));
  return isName && cursor.endIndex - cursor.startIndex <= MAX_NAME;
}

/** Ways to spell a built-in name, and modules by their name. */
function itemOf(object: string, key: string): string {
  if (object === 'sys.modules') return key;
  if (object === 'globals()' || object === 'locals()') return withoutBuiltins(key);
  return object === '' || key === '' ? '' : withoutBuiltins(`${object.replace(/\.__dict__$/, '')}.${key}`);
}

function withoutBuiltins(name: string): string {
  return name.replace(/^(builtins|__builtins__|__builtin__)\.(?=.)/, '').replace(/^__dict__\./, '');
}

function mainBlocks(root: Node): [number, number][] {
  return root.namedChildren
    .filter((node) => node.type === 'if_statement' && node.childForFieldName('condition')?.text.includes(MAIN))
    .map((node) => [node.startIndex, node.endIndex]);
}
