import { addClasses } from '@heddle/workflow-graph';
import type { Catalogue, DescribedClass } from '@heddle/workflow-graph';
import { orNamed } from '../api/api-error.js';
import type { JsonRecord } from '../api/wire.js';
import type { CommandCall } from '../command-line/command.js';
import { wrongUsage } from '../failure.js';
import { nodeName, versionPath } from '../registry/node-name.js';
import { readAsMember } from '../registry/read-as-member.js';
import { recordIn, recordsIn, textIn } from '../registry/registry-answers.js';
import { registryOf } from '../registry/registry-command.js';
import type { RegistryCall } from '../registry/registry-command.js';

const PAGE = 100;

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
  const registry = registryOf(call);
  const classes: DescribedClass[] = [];
  let isWhole = true;
  try {
    for (const named of versions) {
      const read = await readClasses(named, { ...call, registry });
      classes.push(...read.classes);
      isWhole &&= read.isWhole;
      if (read.isWhole) continue;
      const name = `${named.nodeId}@${named.version}`;
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

async function readClasses(
  { nodeId, version }: NamedVersion,
  call: Pick<RegistryCall, 'registry' | 'env' | 'terminal'>,
): Promise<{ readonly classes: readonly DescribedClass[]; readonly isWhole: boolean }> {
  const path = versionPath(nodeId, version);
  const absent = `no version ${nodeId}@${version} for you to see`;
  const step = `heddle registry show ${nodeId} shows the latest one`;
  const read = async (at: string): Promise<JsonRecord> =>
    recordIn(await readAsMember(call, nodeId, async (as) => await call.registry.call('GET', at, { as })));
  const shown = await orNamed(read(path), absent, step);
  const classes: DescribedClass[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const part = await read(`${path}/wf-nodes?page=${page}&limit=${PAGE}`);
    classes.push(...recordsIn(part['wf_nodes']).map(describedIn));
    pages = Number(part['totalNumberOfPages']);
  }
  return { classes, isWhole: shown['wf_node_extract_status'] === 'success' };
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
