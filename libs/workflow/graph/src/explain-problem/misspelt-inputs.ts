import type { Catalogue } from '../catalogue/catalogue.js';
import { expandInputs } from '../check-workflow/expand-inputs.js';
import { isJsonObject, ownValue, type JsonObject } from '../json/json-value.js';
import { shown } from './describe-input.js';
import { NearestName } from './nearest-name.js';

/** The default of HEDDLE_NODE_INPUTS; misspelt inputs beyond it are not searched. */
const COMPARED_INPUTS = 256;

/**
 * One sentence for each given input that the class does not have, if its name is near an optional one that the node
 * lacks. The engine ignores such an input, and the optional one then silently keeps its default. Other unknown inputs are
 * left out: editors export some on purpose.
 */
export function misspeltInputs(workflow: JsonObject, catalogue: Catalogue): readonly string[] {
  return Object.keys(workflow).flatMap((nodeId) => {
    const node = ownValue(workflow, nodeId);
    if (!isJsonObject(node)) return [];
    const className = ownValue(node, 'class_type');
    const held = ownValue(node, 'inputs');
    const nodeClass = typeof className === 'string' ? catalogue.classes.get(className) : undefined;
    if (nodeClass === undefined || !isJsonObject(held)) return [];
    const inputs = nodeClass.hasDynamicInputs ? expandInputs(nodeClass.inputs, held) : nodeClass.inputs;
    const declared = new Set(inputs.map(({ name }) => name));
    const unknown = Object.keys(held).filter((name) => !declared.has(name));
    if (unknown.length === 0) return [];
    // A required input that is missing is a problem already.
    const candidates = inputs.filter(({ name, required }) => !required && !Object.hasOwn(held, name));
    const nearest = new NearestName(candidates.map(({ name }) => name));
    return unknown.slice(0, COMPARED_INPUTS).flatMap((name) => {
      const meant = nearest.of(name);
      if (meant === null) return [];
      return [`node ${nodeId}: ${shown(name)} is not an input of ${nodeClass.name}; did you mean ${shown(meant)}?`];
    });
  });
}
