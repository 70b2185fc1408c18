import { isJsonObject, ownValue, type Catalogue, type JsonObject } from '@heddle/workflow-graph';

/** An input linked to another node's result. */
export interface ConsumingLink {
  readonly node: string;
  readonly input: string;
}

/** For each node the inputs linked to it, in graph order; undeclared inputs do not count. */
export function linkedFrom(workflow: JsonObject, catalogue: Catalogue): ReadonlyMap<string, readonly ConsumingLink[]> {
  const links = new Map<string, ConsumingLink[]>();
  for (const id of Object.keys(workflow)) {
    const node = ownValue(workflow, id);
    if (!isJsonObject(node) || !isJsonObject(node['inputs']) || typeof node['class_type'] !== 'string') continue;
    const nodeClass = catalogue.classes.get(node['class_type']);
    const declared = new Set(nodeClass?.inputs.map(({ name }) => name));
    for (const input of Object.keys(node['inputs'])) {
      const value = ownValue(node['inputs'], input);
      if (!Array.isArray(value) || value.length !== 2) continue;
      if (nodeClass?.hasDynamicInputs !== true && !declared.has(input)) continue;
      const source = String(value[0]);
      const known = links.get(source);
      if (known === undefined) links.set(source, [{ node: id, input }]);
      else known.push({ node: id, input });
    }
  }
  return links;
}

/** The outputs that depend on the node, including itself, in order. */
export function dependentOutputs(
  id: string,
  outputs: readonly string[],
  links: ReadonlyMap<string, readonly ConsumingLink[]>,
): string[] {
  const met = new Set([id]);
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { node } of links.get(at) ?? []) {
      if (met.has(node)) continue;
      met.add(node);
      open.push(node);
    }
  }
  return outputs.filter((output) => met.has(output));
}
