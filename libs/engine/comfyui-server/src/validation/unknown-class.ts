import {
  isJsonObject,
  keysInOrder,
  ownValue,
  type Catalogue,
  type JsonObject,
  type JsonValue,
} from '@heddle/workflow-graph';
import type { Generation } from '../generation.js';
import type { PromptError } from '../prompts/prompt-check.js';

/**
 * The first node without a known class, which ends the check; `raised` if the engine's code would raise (engine.md 3).
 */
export function firstUnknownClass(
  workflow: JsonObject,
  text: Buffer,
  catalogue: Catalogue,
  generation: Generation,
): PromptError | 'raised' | null {
  if (Object.keys(workflow).every((id) => isKnown(ownValue(workflow, id), catalogue))) return null;
  // Only the text shows which node comes first: objects sort numeric keys first.
  for (const id of keysInOrder(text)) {
    const node = ownValue(workflow, id);
    if (!isJsonObject(node)) {
      // The older engine also looks for the class in a list or a text, and fails if it finds one.
      const searched = typeof node === 'string' || Array.isArray(node);
      if (generation === '0.33.0' || !searched || node.includes('class_type')) return 'raised';
      return withoutClass(id, null, generation);
    }
    const name = node['class_type'];
    if (name === undefined || (name === null && generation === '0.33.0'))
      return withoutClass(id, titleOf(node), generation);
    if (typeof name === 'object' && name !== null) return 'raised';
    if (typeof name !== 'string' || !catalogue.classes.has(name))
      return ofUnknownClass(id, name, titleOf(node), generation);
  }
  return null;
}

function isKnown(node: JsonValue | undefined, catalogue: Catalogue): boolean {
  return isJsonObject(node) && typeof node['class_type'] === 'string' && catalogue.classes.has(node['class_type']);
}

function withoutClass(id: string, title: string | null, generation: Generation): PromptError {
  const details = `Node ID '#${id}'`;
  if (generation === '0.3.64') {
    const message = 'Cannot execute because a node is missing the class_type property.';
    return { type: 'invalid_prompt', message, details, extra_info: {} };
  }
  const message = `Node '${title ?? `ID #${id}`}' has no class_type. The workflow may be corrupted or a custom node is missing.`;
  return {
    type: 'missing_node_type',
    message,
    details,
    extra_info: { node_id: id, class_type: null, node_title: title },
  };
}

function ofUnknownClass(
  id: string,
  name: Exclude<JsonValue, object>,
  title: string | null,
  generation: Generation,
): PromptError {
  const details = `Node ID '#${id}'`;
  if (generation === '0.3.64') {
    const message = `Cannot execute because node ${String(name)} does not exist.`;
    return { type: 'invalid_prompt', message, details, extra_info: {} };
  }
  const shown = title ?? String(name);
  const message = `Node '${shown}' not found. The custom node may not be installed.`;
  const extra_info = { node_id: id, class_type: name, node_title: shown };
  return { type: 'missing_node_type', message, details, extra_info };
}

function titleOf(node: JsonObject): string | null {
  const meta = node['_meta'];
  const title = isJsonObject(meta) ? meta['title'] : null;
  return typeof title === 'string' && title !== '' ? title : null;
}
