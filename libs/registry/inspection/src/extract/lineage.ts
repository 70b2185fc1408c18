import { UNKNOWN, type ClassValue, type PythonValue } from './value.js';

/** Classes from outside of the archive that give a node class no attributes. */
const WITHOUT_ATTRIBUTES = /(?:^|\.)(?:object|ABC|Protocol|Generic|ComfyNodeABC|ComfyNode)$/;
const MAX_CLASSES = 200;

/**
 * The class and its bases in the order in which attributes are looked up; `undefined` stands for a base whose attributes
 * are not known. A base that is reached twice counts at its last place, as in Python.
 */
export function lineageOf(first: ClassValue): (ClassValue | undefined)[] {
  const reached: (ClassValue | undefined)[] = [];
  const waiting: (ClassValue | undefined)[] = [first];
  while (waiting.length > 0) {
    if (reached.length >= MAX_CLASSES) return [...reached, undefined];
    const next = waiting.pop();
    reached.push(next);
    waiting.push(...(next?.bases ?? []).flatMap(baseClasses).reverse());
  }
  return reached.filter((one, index) => one === undefined || reached.lastIndexOf(one) === index);
}

function baseClasses(base: PythonValue): (ClassValue | undefined)[] {
  if (base.kind === 'class' && base.classes.length === 1) return [...base.classes];
  return base.kind === 'outside' && WITHOUT_ATTRIBUTES.test(base.path) ? [] : [undefined];
}

/** An attribute, and the class that defines it; `undefined` if neither the class nor a base of it has the attribute. */
export function findAttribute(
  lineage: readonly (ClassValue | undefined)[],
  name: string,
): { readonly value: PythonValue; readonly owner?: ClassValue } | undefined {
  for (const one of lineage) {
    if (one === undefined) return { value: UNKNOWN };
    const value = one.scope.names.get(name);
    if (value !== undefined) return { value, owner: one };
  }
  return undefined;
}
