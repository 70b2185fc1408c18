import { bindTarget, itemsOf, setOpen } from './containers.js';
import { assignEntry, removeEntry } from './call-method.js';
import { Evaluator } from './evaluate.js';
import { mergeValues } from './merge-values.js';
import { inPlace, type ModuleFiles } from './module-files.js';
import type { CallArguments, CallSurroundings } from './surroundings.js';
import type { Block, ClassStatement, Expression, FromImport, FunctionDefinition, PythonStatement } from './syntax.js';
import { NameScope, textOf, UNKNOWN, type ClassValue, type FunctionValue, type PythonValue } from './value.js';
import { BoundReached, type WorkBudget } from './work-budget.js';

const MAX_CALL_DEPTH = 12;
/** Decorators with which a function still returns what its body returns. */
const TRANSPARENT =
  /^(?:staticmethod|classmethod|final|override|(?:\w+\.)?(?:abstractmethod|(?:lru_)?cache(?:\(.*\))?))$/;
const NONE: PythonValue = { kind: 'constant', value: null };

/**
 * Runs the modules of a package as far as extraction understands them: no call leaves it, and of what a condition decides
 * each case is taken. A name or an entry that cases leave with different values is unknown.
 */
export class Interpreter {
  /** Modules that were run or are running, by their path. */
  private readonly modules = new Map<string, NameScope>();
  /** Classes with a `define_schema`, in the order in which they were made. */
  readonly schemaClasses: ClassValue[] = [];
  /** Every `Schema(…)` that was made since it was last emptied. */
  readonly madeSchemas: PythonValue[] = [];
  private readonly evaluator: Evaluator;
  private readonly around: CallSurroundings;
  /** Functions that are running. One that calls itself is not followed: every case of its conditions would call it again. */
  private readonly running = new Set<FunctionDefinition>();
  /** Numbers blocks that may not run; the current one is what `around.block` returns. */
  private lastBlock = 0;
  private block = 0;

  constructor(
    readonly files: ModuleFiles,
    readonly budget: WorkBudget,
  ) {
    this.around = {
      budget,
      block: () => this.block,
      call: (target, given) => this.call(target, given),
      submodule: (scope, name) => this.submodule(scope, name),
      importModule: (from, name) => this.importModule(from, name),
      made: (value) =>
        void (value.kind === 'made' && /(?:^|\.)Schema$/.test(value.path) && this.madeSchemas.push(value)),
    };
    this.evaluator = new Evaluator(this.around);
  }

  /** Runs a module once; a module that is still running is returned as far as it is. */
  module(path: string): NameScope {
    const known = this.modules.get(path);
    if (known !== undefined) return known;
    const scope = new NameScope(path);
    this.modules.set(path, scope);
    // An import may stand in a block that may not run; the module itself is run or not as a whole.
    const block = this.block;
    this.block = 0;
    this.run(this.files.syntaxOf(path)?.block ?? [], scope);
    this.block = block;
    this.files.drop(path);
    return scope;
  }

  /** A module as far as a bound let it run; `undefined` where it was not started. */
  moduleSoFar(path: string): NameScope | undefined {
    return this.modules.get(path);
  }

  attribute(one: ClassValue, name: string): PythonValue {
    return this.evaluator.attribute({ kind: 'class', classes: [one] }, name);
  }

  call(target: FunctionValue, given: CallArguments): PythonValue {
    const { definition, scope: home, self, owner } = target;
    const isKnown = definition.decorators.every((decorator) => TRANSPARENT.test(decorator));
    const scope = isKnown ? this.runFunction(definition, home, self && owner && { self, owner }, given) : undefined;
    if (scope === undefined) given.args.forEach(setOpen);
    return scope?.returned ?? UNKNOWN;
  }

  /** Runs a function's body; `undefined` if it is not one that is understood. */
  runFunction(
    definition: FunctionDefinition,
    home: NameScope,
    method: NameScope['method'],
    given: CallArguments,
  ): NameScope | undefined {
    if (this.running.size >= MAX_CALL_DEPTH || this.running.has(definition)) return undefined;
    const read = this.files.functionAt(home.path, definition.start, definition.end);
    if (read === undefined) return undefined;
    const scope = new NameScope(home.path, home);
    if (method !== undefined) scope.method = method;
    const isBound = method !== undefined && !definition.decorators.includes('staticmethod');
    const args: PythonValue[] = isBound ? [{ kind: 'class', classes: [method.self] }, ...given.args] : [...given.args];
    read.parameters.forEach(({ name, value }, index) => {
      const open = given.open ? UNKNOWN : undefined;
      const initial = value && this.evaluator.evaluate(value, home);
      scope.names.set(name, args[index] ?? given.named.get(name) ?? open ?? initial ?? UNKNOWN);
    });
    this.running.add(definition);
    const ended = this.run(read.body, scope);
    this.running.delete(definition);
    if (!ended) this.returns(NONE, scope);
    return scope;
  }

  /** Runs statements; returns whether what follows the block is never reached. */
  private run(block: Block, scope: NameScope): boolean {
    return block.some((statement) => this.runStatement(statement, scope));
  }

  private runStatement(statement: PythonStatement, scope: NameScope): boolean {
    this.budget.spend();
    const evaluate = (expression: Expression): PythonValue => this.evaluator.evaluate(expression, scope);
    switch (statement.kind) {
      case 'assign': {
        const value = this.evaluateOrPart(statement, scope);
        for (const target of statement.targets) this.assign(target, value, scope);
        return false;
      }
      case 'augment':
        this.augment(statement.target, statement.operator, evaluate(statement.value), scope);
        return false;
      case 'expression':
        evaluate(statement.value);
        return false;
      case 'import':
        this.bind(scope, statement.name, { kind: 'outside', path: statement.path.join('.') });
        return false;
      case 'from':
        this.importFrom(statement, scope);
        return false;
      case 'class':
        this.defineClass(statement, scope);
        return false;
      case 'function':
        this.bind(scope, statement.definition.name, {
          kind: 'function',
          definition: statement.definition,
          scope: homeOf(scope),
        });
        return false;
      case 'branches': {
        const ended = statement.blocks.map((one) => this.runCase(one, scope));
        return statement.exhaustive && ended.every(Boolean);
      }
      case 'for':
        this.runLoop(statement, scope);
        return false;
      case 'return':
        this.returns(evaluate(statement.value), scope);
        return true;
      case 'global':
        for (const name of statement.names) scope.globals.add(name);
        return false;
      case 'delete':
        this.remove(statement.target, scope);
        return false;
      case 'stop':
        return true;
    }
  }

  /** Where a bound ends a dict, its names are bound to what there is of it. */
  private evaluateOrPart(
    { targets, value }: Extract<PythonStatement, { kind: 'assign' }>,
    scope: NameScope,
  ): PythonValue {
    try {
      return this.evaluator.evaluate(value, scope);
    } catch (error) {
      if (error instanceof BoundReached && error.unfinished !== undefined && value.kind === 'dict') {
        error.unfinished.open = true;
        for (const target of targets) if (target.kind === 'name') scope.names.set(target.name, error.unfinished);
      }
      throw error;
    }
  }

  /** A block that may not run. */
  private runCase(block: Block, scope: NameScope): boolean {
    const outer = this.block;
    this.block = ++this.lastBlock;
    const ended = this.run(block, scope);
    this.block = outer;
    return ended;
  }

  private runLoop({ target, source, body }: Extract<PythonStatement, { kind: 'for' }>, scope: NameScope): void {
    const items = itemsOf(this.evaluator.evaluate(source, scope));
    if (items === undefined) {
      this.assign(target, UNKNOWN, scope);
      this.runCase(body, scope);
    }
    for (const item of items ?? []) {
      this.assign(target, item, scope);
      this.run(body, scope);
    }
  }

  private returns(value: PythonValue, scope: NameScope): void {
    const earlier = scope.returned;
    scope.returned = earlier === undefined ? value : mergeValues(earlier, value, this.budget.spend);
  }

  private bind(scope: NameScope, name: string, value: PythonValue): void {
    const home = scope.globals.has(name) ? scope.module : scope;
    const earlier = home.names.get(name);
    const isSure = earlier === undefined || (home.boundIn.get(name) ?? 0) >= this.block;
    home.names.set(name, isSure ? value : mergeValues(earlier, value, this.budget.spend));
    if (isSure) home.boundIn.set(name, this.block);
  }

  private assign(target: Expression, value: PythonValue, scope: NameScope): void {
    if (target.kind === 'item') {
      const object = this.evaluator.evaluate(target.object, scope);
      if (object.kind === 'dict') assignEntry(object, this.evaluator.evaluate(target.index, scope), value, this.around);
      else setOpen(object);
    } else if (target.kind === 'attribute') {
      const object = this.evaluator.evaluate(target.object, scope);
      if (object.kind === 'module') this.bind(object.scope, target.name, value);
      if (object.kind === 'class') for (const one of object.classes) this.bind(one.scope, target.name, value);
    } else bindTarget(target, value, (name, part) => this.bind(scope, name, part));
  }

  private augment(target: Expression, operator: string, value: PythonValue, scope: NameScope): void {
    const earlier = this.evaluator.evaluate(target, scope);
    // `|=` and `+=` change the dict or list itself, as every name for it sees.
    if (earlier.kind === 'dict' && operator === '|') this.evaluator.change(earlier, 'update', value);
    else if (earlier.kind === 'list' && operator === '+') this.evaluator.change(earlier, 'extend', value);
    else this.assign(target, this.evaluator.combine(operator, earlier, value), scope);
  }

  private remove(target: Expression, scope: NameScope): void {
    if (target.kind === 'name') this.bind(scope, target.name, UNKNOWN);
    if (target.kind !== 'item') return;
    const object = this.evaluator.evaluate(target.object, scope);
    if (object.kind === 'dict') removeEntry(object, this.evaluator.evaluate(target.index, scope), this.around);
    else setOpen(object);
  }

  private defineClass({ name, bases, body }: ClassStatement, scope: NameScope): void {
    const inner = new NameScope(scope.path, homeOf(scope));
    inner.isClass = true;
    const value: ClassValue = { name, bases: bases.map((base) => this.evaluator.evaluate(base, scope)), scope: inner };
    this.run(body, inner);
    if (inner.names.has('define_schema')) this.schemaClasses.push(value);
    this.bind(scope, name, { kind: 'class', classes: [value] });
  }

  private importFrom({ level, path, names }: FromImport, scope: NameScope): void {
    if (level === 0) {
      for (const { name, as } of names ?? [])
        this.bind(scope, as, { kind: 'outside', path: [...path, name].join('.') });
      return;
    }
    const place = this.files.modulePathOf(scope.path, level, path);
    const file = place === undefined ? undefined : this.files.fileOf(place);
    const from = file === undefined ? undefined : this.module(file);
    if (names === undefined) {
      for (const [name, value] of from === undefined ? [] : exportsOf(from)) this.bind(scope, name, value);
      return;
    }
    for (const { name, as } of names) {
      const value = from?.names.get(name) ?? (place === undefined ? undefined : this.moduleAt(inPlace(place, name)));
      this.bind(scope, as, value ?? UNKNOWN);
    }
  }

  private submodule(scope: NameScope, name: string): PythonValue | undefined {
    if (!scope.path.endsWith('__init__.py')) return undefined;
    return this.moduleAt(inPlace(scope.path.split('/').slice(0, -1).join('/'), name));
  }

  private moduleAt(place: string): PythonValue | undefined {
    const file = this.files.fileOf(place);
    return file === undefined ? undefined : { kind: 'module', scope: this.module(file) };
  }

  /** `importlib.import_module('.name', package)`. */
  private importModule(from: NameScope, name: string): PythonValue {
    const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(name) ?? [];
    const place = this.files.modulePathOf(from.path, dots.length, rest === '' ? [] : rest.split('.'));
    return (place === undefined ? undefined : this.moduleAt(place)) ?? UNKNOWN;
  }

  /** Runs a step of the extraction; returns the reason where a bound ended it. */
  within(step: () => void): string | undefined {
    try {
      step();
      return undefined;
    } catch (error) {
      if (error instanceof BoundReached) return error.message;
      // The stack of the thread: a bound like any other.
      if (error instanceof RangeError) return 'The package nests imports, calls or values too deep.';
      throw error;
    } finally {
      this.running.clear();
      this.block = 0;
    }
  }
}

/** Where functions and classes that are defined in a scope look names up: not in the body of a class. */
const homeOf = (scope: NameScope): NameScope => (scope.isClass && scope.outer !== undefined ? scope.outer : scope);

/** What `from module import *` binds. */
function exportsOf(module: NameScope): [string, PythonValue][] {
  const listed = module.names.get('__all__');
  const all = listed && itemsOf(listed)?.map(textOf);
  return [...module.names].filter(([name]) => (all === undefined ? !name.startsWith('_') : all.includes(name)));
}
