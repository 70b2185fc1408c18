import type { InputSpec } from '../catalogue/catalogue.js';
import { UNKNOWN_VALUE } from '../catalogue/unknown-parts.js';
import { ownValue, type JsonObject } from '../json/json-value.js';
import { isLink } from './check-custom-rule.js';

/** Maximum expanded inputs of one node, far above the limit on inputs that it may hold. */
const MAX_EXPANDED = 4_096;

/**
 * Expands the dynamic inputs of a class for the values of a node: a growing input becomes its slots (the first `min`
 * required), a dynamic combo the inputs of the chosen key, a dynamic slot its companions. Names are prefixed with their
 * parent and a dot. Where other inputs are not known, each that the node holds is one. As in the engine, an unknown
 * key, a link or a missing value in a dynamic combo expands to nothing.
 */
export function expandInputs(declared: readonly InputSpec[], held: JsonObject): InputSpec[] {
  const expanded = new Map<string, InputSpec>();
  const pending = declared.map((input) => ({ input, name: input.name })).reverse();
  while (pending.length > 0 && expanded.size < MAX_EXPANDED) {
    const { input, name } = pending.pop()!;
    const { dynamic } = input;
    if (dynamic === null) {
      expanded.set(name, named(input, name, input.required));
    } else if (dynamic.form === 'any') {
      for (const other of otherInputs(declared, held)) {
        if (expanded.size < MAX_EXPANDED) expanded.set(other, named(UNKNOWN_VALUE, other, false));
      }
    } else if (dynamic.form === 'autogrow') {
      dynamic.names.forEach((slot, at) => {
        const dotted = `${name}.${slot}`;
        const { template } = dynamic;
        expanded.set(dotted, { ...named(template, dotted, at < dynamic.min && template.required), dynamic: null });
        if (template.dynamic !== null && Object.hasOwn(held, dotted)) pending.push({ input: template, name: dotted });
      });
    } else if (Object.hasOwn(held, name)) {
      const chosen = ownValue(held, name);
      const companions = dynamic.form === 'slot' ? dynamic.inputs : branchOf(dynamic.branches, chosen);
      if (companions === undefined) continue;
      expanded.set(name, { ...named(input, name, input.required), dynamic: null });
      for (const companion of [...companions].reverse()) {
        pending.push({ input: companion, name: `${name}.${companion.name}` });
      }
    }
  }
  return [...expanded.values()];
}

/**
 * A list that is not a link is left out: a declared input would refuse it, and an engine ignores one that is not
 * declared.
 */
function otherInputs(declared: readonly InputSpec[], held: JsonObject): string[] {
  const known = new Set(declared.map(({ name }) => name));
  return Object.keys(held).filter((name) => {
    const value = ownValue(held, name);
    return !known.has(name) && (!Array.isArray(value) || isLink(value));
  });
}

function branchOf(
  branches: ReadonlyMap<string, readonly InputSpec[]>,
  chosen: unknown,
): readonly InputSpec[] | undefined {
  return typeof chosen === 'string' ? branches.get(chosen) : undefined;
}

function named(input: InputSpec, name: string, required: boolean): InputSpec {
  return { ...input, name, required, inheritedName: name in Object.prototype };
}
