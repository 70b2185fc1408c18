import type { Catalogue, InputSpec, NodeClass } from '../catalogue/catalogue.js';
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from '../json/json-value.js';
import { shown } from './describe-input.js';

/** A link to an output slot that its source does not have. */
export function slotText(
  workflow: JsonObject,
  catalogue: Catalogue,
  held: JsonValue | undefined,
  field: string,
): string {
  const link = linkOf(held, field);
  const source = sourceOf(workflow, catalogue, link);
  const slot = typeof link[1] === 'number' ? `slot ${link[1]}` : 'a slot';
  if (source === null) return `The link leads to ${slot} that its node does not have.`;
  const { length } = source.outputs;
  const slots = length === 0 ? 'no outputs' : length === 1 ? 'one output, slot 0' : `the slots 0 to ${length - 1}`;
  return `The link leads to ${slot}, and ${shown(source.name)} has ${slots}.`;
}

/** A link whose type its input does not accept. */
export function typeText(
  workflow: JsonObject,
  catalogue: Catalogue,
  held: JsonValue | undefined,
  field: string,
  input: InputSpec | null,
): string {
  const link = linkOf(held, field);
  const slot = link[1];
  const received = typeof slot === 'number' ? sourceOf(workflow, catalogue, link)?.outputs[slot] : undefined;
  const wanted = input === null ? 'another type than the link gives' : shown(input.type);
  return received === undefined
    ? `The input takes ${wanted}.`
    : `The input takes ${wanted}, and the link gives ${shown(received)}.`;
}

function linkOf(held: JsonValue | undefined, field: string): readonly JsonValue[] {
  const link = isJsonObject(held) ? ownValue(held, field) : undefined;
  return Array.isArray(link) ? link : [];
}

function sourceOf(workflow: JsonObject, catalogue: Catalogue, [id]: readonly JsonValue[]): NodeClass | null {
  const node = typeof id === 'string' ? ownValue(workflow, id) : undefined;
  const name = isJsonObject(node) ? ownValue(node, 'class_type') : undefined;
  return typeof name === 'string' ? (catalogue.classes.get(name) ?? null) : null;
}
