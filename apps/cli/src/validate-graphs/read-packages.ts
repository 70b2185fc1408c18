import { addClasses } from '@heddle/workflow-graph';
import type { Catalogue, DescribedClass } from '@heddle/workflow-graph';
import type { JsonRecord } from '../api/wire.js';
import type { CommandCall } from '../command-line/command.js';
import { wrongUsage } from '../failure.js';
import { nodeName } from '../registry/node-name.js';
import { readClasses } from '../registry/read-classes.js';
import { textIn } from '../registry/registry-answers.js';
import { registryOf } from '../registry/registry-command.js';

interface NamedVersion {
  readonly nodeId: string;
  readonly version: string;
}

/** `--package NODE@VERSION`: the catalogue with the node classes that the registry read in these packages. */
export async function withPackages(
  catalogue: Catalogue,
  names: readonly string[],
  call: Pick<CommandCall, 'options' | 'env' | 'terminal'>,
): Promise<Catalogue> {
  if (names.length === 0) return catalogue;
  const versions = names.map(namedVersion);
  const registry = await registryOf(call);
  const classes: DescribedClass[] = [];
  let isWhole = true;
  try {
    for (const { nodeId, version } of versions) {
      const read = await readClasses({ ...call, registry }, nodeId, version);
      classes.push(...read.classes.map(describedIn));
      if (read.version['wf_node_extract_status'] === 'success') continue;
      isWhole = false;
      const name = `${nodeId}@${version}`;
      call.terminal.say(
        `heddle: the registry has not read every node class of ${name}: unknown classes are not checked`,
      );
    }
  } finally {
    await registry.close();
  }
  return addClasses(catalogue, classes, isWhole);
}

function namedVersion(word: string): NamedVersion {
  const missing = wrongUsage('--package takes NODE@VERSION', 'e.g. --package image-tools@1.2.0');
  if (word === '') throw missing;
  const { nodeId, version } = nodeName([word], 'validate');
  if (version === null) throw missing;
  return { nodeId, version };
}

function describedIn(wfNode: JsonRecord): DescribedClass {
  const unknown = wfNode['unknown'];
  return {
    name: textIn(wfNode, 'wf_node_name'),
    inputTypes: textIn(wfNode, 'input_types'),
    returnTypes: textIn(wfNode, 'return_types'),
    outputNode: wfNode['output_node'] === true,
    unknown: Array.isArray(unknown) ? unknown.filter((path) => typeof path === 'string') : [],
  };
}
