import type { ClassInfo } from '../catalogue/class-info.js';
import { isJsonList, type PythonJson } from '../values/value.js';
import { coerceConstant, CoercionError } from './coerce.js';

/** A graph that cannot run at all. Validation refuses such graphs earlier. */
export class GraphError extends Error {
  constructor(
    message: string,
    readonly nodeId: string | null = null,
    readonly classType: string | null = null,
  ) {
    super(message);
  }
}

/** An input that takes another node's output */
interface Link {
  readonly nodeId: string;
  readonly slot: number;
}

export interface GraphNode {
  readonly id: string;
  readonly classType: string;
  readonly info: ClassInfo;
  /** Declared inputs that are links. */
  readonly links: ReadonlyMap<string, Link>;
  /** Declared inputs that are constants, coerced to their types. */
  readonly constants: ReadonlyMap<string, PythonJson>;
}

export interface Graph {
  /** Nodes that output nodes depend on, in the order of the document */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Output nodes in the order of the document */
  readonly outputs: readonly string[];
  /** The whole document for the metadata of saved files, with coerced values */
  readonly document: ReadonlyMap<string, PythonJson>;
}

/**
 * Parses an API-format graph: the nodes that run, their links, and their coerced constants. `targets` limits the output
 * nodes.
 */
export function readGraph(
  document: PythonJson,
  classes: ReadonlyMap<string, ClassInfo>,
  targets: readonly string[] | null = null,
): Graph {
  if (!(document instanceof Map)) throw new GraphError('the workflow is not an object');
  const all = document as ReadonlyMap<string, PythonJson>;
  const outputs = [...all]
    .filter(([id, node]) => classes.get(classTypeOf(node))?.isOutput === true && targets?.includes(id) !== false)
    .map(([id]) => id);
  if (outputs.length === 0) throw new GraphError('Prompt has no outputs');
  const reached = new Map<string, GraphNode>();
  const written = new Map(all);
  const waiting = [...outputs];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    const node = readNode(id, all.get(id), classes);
    reached.set(id, node);
    written.set(id, withConstants(all.get(id), node.constants));
    for (const { nodeId, slot } of node.links.values()) {
      const source = classes.get(classTypeOf(all.get(nodeId)));
      if (!source || slot >= source.outputIsList.length)
        throw new GraphError('a link leads nowhere', id, node.classType);
      waiting.push(nodeId);
    }
  }
  const nodes = new Map<string, GraphNode>();
  for (const id of all.keys()) {
    const node = reached.get(id);
    if (node) nodes.set(id, node);
  }
  return { nodes, outputs, document: written };
}

function readNode(id: string, node: PythonJson | undefined, classes: ReadonlyMap<string, ClassInfo>): GraphNode {
  const classType = classTypeOf(node);
  const info = classes.get(classType);
  if (!info) throw new GraphError(`Node '${id}' has no known class.`, id, classType);
  const links = new Map<string, Link>();
  const constants = new Map<string, PythonJson>();
  const inputs = node instanceof Map ? (node as ReadonlyMap<string, PythonJson>).get('inputs') : undefined;
  const given = inputs instanceof Map ? (inputs as ReadonlyMap<string, PythonJson>) : new Map<string, PythonJson>();
  for (const [name, value] of given) {
    const type = info.inputTypes.get(name);
    if (type === undefined) continue;
    const link = readLink(value);
    if (link) links.set(name, link);
    else constants.set(name, coerced(value, type, name, id, classType));
  }
  return { id, classType, info, links, constants };
}

function coerced(value: PythonJson, type: string | null, name: string, id: string, classType: string): PythonJson {
  try {
    return coerceConstant(value, type);
  } catch (error) {
    if (!(error instanceof CoercionError)) throw error;
    throw new GraphError(`Failed to convert an input value to a ${type} value: ${name}`, id, classType);
  }
}

function readLink(value: PythonJson): Link | null {
  if (!isJsonList(value) || value.length !== 2) return null;
  const [nodeId, slot] = value;
  return typeof nodeId === 'string' && typeof slot === 'bigint' && slot >= 0n ? { nodeId, slot: Number(slot) } : null;
}

function classTypeOf(node: PythonJson | undefined): string {
  const type = node instanceof Map ? (node as ReadonlyMap<string, PythonJson>).get('class_type') : undefined;
  return typeof type === 'string' ? type : '';
}

function withConstants(node: PythonJson | undefined, constants: ReadonlyMap<string, PythonJson>): PythonJson {
  if (!(node instanceof Map)) return null;
  const members = node as ReadonlyMap<string, PythonJson>;
  const inputs = members.get('inputs');
  if (!(inputs instanceof Map)) return node;
  const merged = new Map(inputs as ReadonlyMap<string, PythonJson>);
  for (const [name, value] of constants) merged.set(name, value);
  return new Map(members).set('inputs', merged);
}
