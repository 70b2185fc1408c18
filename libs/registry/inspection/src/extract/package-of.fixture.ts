import type { WfNode } from '@heddle/contracts-registry';
import type { PackageFiles } from '../package-files.js';
import { loadPython } from '../python/parse-python.js';
import { extractNodes, type Extraction } from './extract-nodes.js';

/** A package of these texts by path. */
export function packageOf(texts: Readonly<Record<string, string>>): PackageFiles {
  return { texts: new Map(Object.entries(texts)), paths: Object.keys(texts) };
}

export async function extract(texts: Readonly<Record<string, string>>, milliseconds = 30_000): Promise<Extraction> {
  const parser = await loadPython();
  try {
    return extractNodes(packageOf(texts), parser, milliseconds);
  } finally {
    parser.delete();
  }
}

export const namesOf = ({ nodes }: Extraction): string[] => nodes.map(({ wf_node_name }) => wf_node_name);

/** The only class of a package whose `__init__.py` is this text. */
export async function onlyNode(text: string, more: Readonly<Record<string, string>> = {}): Promise<WfNode> {
  const { nodes } = await extract({ '__init__.py': text, ...more });
  const [node] = nodes;
  if (node === undefined || nodes.length > 1) throw new Error(`the package has ${nodes.length} classes`);
  return node;
}
