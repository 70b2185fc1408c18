import { callBuiltin } from './call-builtin.js';
import { callMethod, copiesObject } from './call-method.js';
import { addEntries, bindTarget, isSequence, itemsOf, setEntry, setOpen, sizeOf } from './containers.js';
import { findAttribute, lineageOf } from './lineage.js';
import { mergeValues } from './merge-values.js';
import { applyBinary, readNumber } from './operators.js';
import type { CallArguments, CallSurroundings } from './surroundings.js';
import type { Argument, Comprehension, Entry, Expression, Item } from './syntax.js';
import { BoundReached } from './work-budget.js';
import { entryKey, NameScope, textOf, UNKNOWN, UNKNOWN_LIST } from './value.js';
import type { ClassValue, DictValue, SequenceValue, PythonValue } from './value.js';
/** Evaluates expressions. What is not known is `UNKNOWN`. */
export class Evaluator {
  constructor(private readonly around: CallSurroundings) {}

  evaluate(expression: Expression, scope: NameScope): PythonValue {
    this.around.budget.spend();
    switch (expression.kind) {
      case 'text':
      case 'constant':
        return expression;
      case 'number':
        return readNumber(expression.source);
      case 'format':
        return this.format(expression.parts, scope);
      case 'name':
        return lookUp(scope, expression.name);
      case 'attribute':
        return this.attributeOf(expression.object, expression.name, scope);
      case 'item':
        return itemOf(this.evaluate(expression.object, scope), this.evaluate(expression.index, scope));
      case 'sequence':
        return this.sequence(expression.of, expression.items, scope);
      case 'dict':
        return this.dict(expression.entries, scope);
      case 'binary':
        return this.combine(
          expression.operator,
          this.evaluate(expression.left, scope),
          this.evaluate(expression.right, scope),
        );
      case 'negative': {
        const operand = this.evaluate(expression.operand, scope);
        return operand.kind === 'number' ? { kind: 'number', value: -operand.value } : UNKNOWN;
      }
      case 'either':
        return expression.options
          .map((option) => this.evaluate(option, scope))
          .reduce((one, other) => mergeValues(one, other, this.around.budget.spend));
      case 'call':
        return this.call(expression.callee, expression.args, scope);
      case 'comprehension':
        return this.comprehension(expression, scope);
      case 'unknown':
        return UNKNOWN;
    }
  }

  combine(operator: string, left: PythonValue, right: PythonValue): PythonValue {
    this.around.budget.spend(sizeOf(left) + sizeOf(right));
    return applyBinary(operator, left, right, this.around.block());
  }

  /** Calls a method of a dict or list that changes it. */
  change(object: DictValue | SequenceValue, method: string, value: PythonValue): void {
    this.around.budget.spend(sizeOf(value));
    callMethod(object, method, { args: [value], named: new Map(), open: false }, this.around);
  }

  attribute(value: PythonValue, name: string): PythonValue {
    switch (value.kind) {
      case 'module':
        return value.scope.names.get(name) ?? this.around.submodule(value.scope, name) ?? UNKNOWN;
      case 'outside':
        return { kind: 'outside', path: `${value.path}.${name}` };
      case 'made':
        return { kind: 'outside', path: `${value.path}().${name}`, on: value };
      case 'class':
        return value.classes
          .map((one) => this.classAttribute(one, one, name))
          .reduce((one, other) => mergeValues(one, other, this.around.budget.spend));
      default:
        return UNKNOWN;
    }
  }

  private classAttribute(self: ClassValue, from: ClassValue, name: string, skip = 0): PythonValue {
    if (name === '__name__') return { kind: 'text', value: self.name };
    const found = findAttribute(lineageOf(from).slice(skip), name);
    if (found === undefined) return UNKNOWN;
    const { value, owner } = found;
    return value.kind === 'function' && owner !== undefined ? { ...value, self, owner } : value;
  }

  private attributeOf(object: Expression, name: string, scope: NameScope): PythonValue {
    if (object.kind === 'call' && object.callee.kind === 'name' && object.callee.name === 'super') {
      const method = methodOf(scope);
      return method === undefined ? UNKNOWN : this.classAttribute(method.self, method.owner, name, 1);
    }
    return this.attribute(this.evaluate(object, scope), name);
  }

  private format(parts: readonly Expression[], scope: NameScope): PythonValue {
    const texts = parts.map((part) => {
      const value = this.evaluate(part, scope);
      return value.kind === 'number' && typeof value.value === 'bigint' ? String(value.value) : textOf(value);
    });
    const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    return texts.includes(undefined) || length > 1 << 20 ? UNKNOWN : { kind: 'text', value: texts.join('') };
  }

  private sequence(of: 'tuple' | 'list', items: readonly Item[], scope: NameScope): PythonValue {
    const values: PythonValue[] = [];
    let open = false;
    for (const { value: item, spread } of items) {
      const value = this.evaluate(item, scope);
      const spreadItems = spread ? itemsOf(value) : [value];
      this.around.budget.spend(spreadItems?.length);
      if (spreadItems === undefined) open = true;
      else for (const one of spreadItems) values.push(one);
    }
    return { kind: of, items: values, open, madeIn: this.around.block() };
  }

  private dict(entries: readonly Entry[], scope: NameScope): PythonValue {
    const dict = this.emptyDict();
    try {
      for (const { key: keyExpression, value: valueExpression } of entries) {
        const value = this.evaluate(valueExpression, scope);
        if (keyExpression === undefined) this.update(dict, value);
        else setEntry(dict, this.evaluate(keyExpression, scope), value);
      }
    } catch (error) {
      // The outermost dict is the last one that notes itself.
      if (error instanceof BoundReached) error.unfinished = dict;
      throw error;
    }
    return dict;
  }

  private emptyDict(): DictValue {
    return { kind: 'dict', entries: new Map(), open: false, varying: false, madeIn: this.around.block() };
  }

  private update(dict: DictValue, more: PythonValue): void {
    this.around.budget.spend(sizeOf(more));
    addEntries(dict, more);
  }

  private call(callee: Expression, written: readonly Argument[], scope: NameScope): PythonValue {
    if (callee.kind === 'attribute') {
      const object = this.evaluate(callee.object, scope);
      if (object.kind === 'dict' || isSequence(object) || object.kind === 'text') {
        const given = this.arguments(written, scope);
        const copied = copiesObject(object, callee.name) ? sizeOf(object) : 0;
        this.around.budget.spend(given.args.reduce((sum, value) => sum + sizeOf(value), copied));
        return callMethod(object, callee.name, given, this.around);
      }
    }
    const target = this.evaluate(callee, scope);
    const given = this.arguments(written, scope);
    if (target.kind === 'function') return this.around.call(target, given);
    if (target.kind === 'outside') {
      if (target.path === 'importlib.import_module')
        return this.around.importModule(scope, textOf(given.args[0]) ?? '');
      if (target.path === 'getattr') return this.attribute(given.args[0] ?? UNKNOWN, textOf(given.args[1]) ?? '');
      this.around.budget.spend(given.args.reduce((sum, value) => sum + sizeOf(value), 0));
      const result = callBuiltin(target, given, this.around.block());
      if (result.kind === 'made') this.around.made(result);
      return result;
    }
    for (const value of given.args) setOpen(value);
    return target.kind === 'class' ? textInstance(target.classes, given) : UNKNOWN;
  }

  private arguments(written: readonly Argument[], scope: NameScope): CallArguments {
    const args: PythonValue[] = [];
    const named = new Map<string, PythonValue>();
    let open = false;
    for (const { name, spread, value: expression } of written) {
      const value = this.evaluate(expression, scope);
      if (name !== undefined) named.set(name, value);
      else if (spread === undefined) args.push(value);
      else if (spread === '*' && itemsOf(value) !== undefined) args.push(...(itemsOf(value) ?? []).slice(0, 1000));
      else if (spread === '**' && value.kind === 'dict' && !value.varying) {
        open ||= value.open;
        for (const { key, value: entry } of value.entries.values()) named.set(textOf(key) ?? '', entry);
      } else open = true;
    }
    return { args, named, open };
  }

  private comprehension({ key, value, loops, hasCondition }: Comprehension, scope: NameScope): PythonValue {
    const inner = new NameScope(scope.path, scope);
    if (scope.method !== undefined) inner.method = scope.method;
    const dict = this.emptyDict();
    const items: PythonValue[] = [];
    const isRead = this.loop(loops, inner, () => {
      const result = this.evaluate(value, inner);
      if (key === undefined) items.push(result);
      else setEntry(dict, this.evaluate(key, inner), result);
    });
    if (key === undefined) {
      return isRead && !hasCondition ? { kind: 'list', items, open: false, madeIn: this.around.block() } : UNKNOWN_LIST;
    }
    dict.open ||= !isRead;
    dict.varying ||= hasCondition;
    return dict;
  }

  private loop(loops: Comprehension['loops'], scope: NameScope, run: () => void): boolean {
    const [first, ...others] = loops;
    if (first === undefined) {
      run();
      return true;
    }
    const items = itemsOf(this.evaluate(first.source, scope));
    if (items === undefined) return false;
    let isRead = true;
    for (const item of items) {
      bindTarget(first.target, item, (name, value) => scope.names.set(name, value));
      isRead = this.loop(others, scope, run) && isRead;
    }
    return isRead;
  }
}

function lookUp(scope: NameScope, name: string): PythonValue {
  for (let at: NameScope | undefined = scope; at !== undefined; at = at.outer) {
    const value = at.names.get(name);
    if (value !== undefined) return value;
  }
  // A builtin, or what no import of the package binds.
  return { kind: 'outside', path: name };
}

function methodOf(scope: NameScope): NameScope['method'] {
  for (let at: NameScope | undefined = scope; at !== undefined; at = at.outer)
    if (at.method !== undefined) return at.method;
  return undefined;
}

function itemOf(object: PythonValue, index: PythonValue): PythonValue {
  if (object.kind === 'dict') {
    const key = entryKey(index);
    return (key !== undefined && !object.varying && object.entries.get(key)?.value) || UNKNOWN;
  }
  if (!isSequence(object) || object.open || index.kind !== 'number') return UNKNOWN;
  return object.items.at(Number(index.value)) ?? UNKNOWN;
}

/** `AnyType('*')`, where the class derives from `str`: the text. */
function textInstance(classes: readonly ClassValue[], { args, named, open }: CallArguments): PythonValue {
  const isText = ({ bases: [base, ...others], scope }: ClassValue): boolean =>
    base?.kind === 'outside' && base.path === 'str' && others.length === 0 && !scope.names.has('__new__');
  const [text] = args;
  return classes.every(isText) && text?.kind === 'text' && args.length === 1 && named.size === 0 && !open
    ? text
    : UNKNOWN;
}
