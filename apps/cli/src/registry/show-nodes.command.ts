import { orNamed } from '../api/api-error.js';
import { EXIT, wrongUsage } from '../failure.js';
import { readerCredential } from './member-credential.js';
import { nodeName, nodePath, versionName, versionPath } from './node-name.js';
import type { RegistryCall } from './registry-command.js';
import { registryCommand } from './registry-command.js';
import { recordIn, recordsIn } from './registry-answers.js';
import { printNode, printNodes } from './render-node.js';
import { printVersion } from './render-version.js';

const PAGE = 100;
const SEARCH_STEP = 'heddle registry search TEXT finds nodes';

export const statusCommand = registryCommand({
  name: 'registry status',
  summary: 'show the status of a version with its reason, such as what the scan found',
  words: 'NODE@VERSION',
  options: {},
  examples: [
    'heddle registry status image-tools@1.2.0',
    'heddle registry status image-tools@1.2.0 --json | jq .status',
  ],
  async run(call) {
    const { nodeId, version } = versionName(call.words, 'registry status');
    await showVersion(call, nodeId, version);
    return EXIT.done;
  },
});

export const showCommand = registryCommand({
  name: 'registry show',
  summary: 'show a node, or one version of it',
  words: 'NODE[@VERSION]',
  options: {},
  examples: ['heddle registry show image-tools', 'heddle registry show image-tools@1.2.0'],
  async run(call) {
    const { nodeId, version } = nodeName(call.words, 'registry show');
    if (version !== null) await showVersion(call, nodeId, version);
    else {
      const { registry, env, terminal } = call;
      const as = await readerCredential(env, registry, nodeId);
      const node = await orNamed(registry.call('GET', nodePath(nodeId), { as }), `no node ${nodeId} here`, SEARCH_STEP);
      printNode(recordIn(node), terminal);
    }
    return EXIT.done;
  },
});

export const searchCommand = registryCommand({
  name: 'registry search',
  summary: 'find nodes by id, name, class, tag, author or text; the best match first',
  words: 'TEXT',
  options: {},
  examples: ['heddle registry search upscale', 'heddle registry search KSampler --json | jq -r .id'],
  async run({ words, terminal, registry }) {
    if (words.length === 0) throw wrongUsage('registry search takes a text', 'e.g. heddle registry search upscale');
    const search = encodeURIComponent(words.join(' '));
    for (let page = 1, pages = 1; page <= pages; page++) {
      const part = recordIn(await registry.call('GET', `/nodes/search?search=${search}&page=${page}&limit=${PAGE}`));
      printNodes(recordsIn(part['nodes']), terminal);
      pages = Number(part['totalPages']);
    }
    return EXIT.done;
  },
});

async function showVersion({ registry, env, terminal }: RegistryCall, nodeId: string, version: string): Promise<void> {
  const as = await readerCredential(env, registry, nodeId);
  const path = `${versionPath(nodeId, version)}?include_status_reason=true`;
  const absent = `no version ${nodeId}@${version} for you to see`;
  const step = `heddle registry show ${nodeId} shows the latest one; members see those that wait for their scan`;
  printVersion(recordIn(await orNamed(registry.call('GET', path, { as }), absent, step)), terminal);
}
