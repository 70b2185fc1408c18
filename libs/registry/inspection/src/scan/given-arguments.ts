import type { Node } from 'web-tree-sitter';
import type { PythonCall, PythonSource } from './python-source.js';

/** An expression, and the innermost function around it. */
interface ScopedNode {
  readonly node: Node;
  readonly scope: number;
}

/** What the calls in a file give to the parameters of its functions. */
export class GivenArguments {
  /** Calls by the name of the function, or by the place of the lambda. */
  #calls: Map<string | number, PythonCall[]> | undefined;
  /** By the place of the function. */
  readonly #parameters = new Map<number, readonly string[]>();

  constructor(private readonly source: PythonSource) {}

  /** The arguments for the parameter that a name means in a scope; none if it is not a parameter. */
  of(name: string, scope: number): ScopedNode[] {
    for (let at: number | undefined = scope; at !== undefined; at = this.source.around(at)) {
      const parameters = this.#parametersOf(at);
      const index = parameters.findIndex((parameter) => parameter === name || parameter === `*${name}`);
      if (index < 0) continue;
      const calls = this.#callsOf(at);
      this.source.spend(calls.length);
      const place = /^(self|cls)$/.test(parameters[0] ?? '') ? index - 1 : index;
      return calls.flatMap(({ args, scope: from }) =>
        args
          .filter((arg, position) => isFor(arg, position, { name, place, isRest: parameters[index] !== name }))
          .map((node) => ({ node, scope: from })),
      );
    }
    return [];
  }

  /** Whether a name means a parameter in a scope. */
  isParameter(name: string, scope: number): boolean {
    return this.functionOf(name, scope) !== undefined;
  }

  /** The place of the function whose parameter a name means in a scope. */
  functionOf(name: string, scope: number): number | undefined {
    for (let at: number | undefined = scope; at !== undefined; at = this.source.around(at)) {
      if (this.#parametersOf(at).some((parameter) => parameter.replace('*', '') === name)) return at;
    }
    return undefined;
  }

  #parametersOf(place: number): readonly string[] {
    const known = this.#parameters.get(place);
    if (known !== undefined) return known;
    const list = this.source.functions.get(place)?.node.childForFieldName('parameters') ?? null;
    const names = (list?.namedChildren ?? []).map(parameterName);
    this.#parameters.set(place, names);
    return names;
  }

  #callsOf(place: number): readonly PythonCall[] {
    this.#calls ??= this.#collect();
    const name = this.source.functions.get(place)?.name ?? '';
    return this.#calls.get(name === '' ? place : name) ?? [];
  }

  #collect(): Map<string | number, PythonCall[]> {
    const calls = new Map<string | number, PythonCall[]>();
    for (const call of this.source.calls) {
      this.source.spend(1);
      for (const target of this.#targets(call)) {
        const earlier = calls.get(target);
        if (earlier === undefined) calls.set(target, [call]);
        else earlier.push(call);
      }
    }
    return calls;
  }

  #targets(call: PythonCall): (string | number)[] {
    const name = /^(?:(?:self|cls)\.)?(\w+)$/.exec(call.name)?.[1];
    if (name !== undefined) {
      const values = this.source.valuesOf(name, call.scope).filter(({ type }) => type === 'lambda');
      return [name, ...values.map(({ startIndex }) => startIndex)];
    }
    let target = call.node.childForFieldName('function');
    while (target?.type === 'parenthesized_expression') target = target.namedChild(0);
    return target?.type === 'lambda' ? [target.startIndex] : [];
  }
}

function isFor(
  arg: Node,
  position: number,
  { name, place, isRest }: { readonly name: string; readonly place: number; readonly isRest: boolean },
): boolean {
  if (arg.type === 'keyword_argument') return isRest || arg.childForFieldName('name')?.text === name;
  return position === place || (isRest && position > place) || /_splat$/.test(arg.type);
}

/** With one star for those that take what is left. */
function parameterName(node: Node): string {
  const name = node.childForFieldName('name') ?? (node.type === 'typed_parameter' ? node.namedChild(0) : node);
  return (name?.text ?? '').replace(/^\*+/, '*').slice(0, 100);
}
