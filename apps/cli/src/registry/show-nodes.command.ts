import { ApiError, orNamed } from '../api/api-error.js';
import type { JsonRecord } from '../api/wire.js';
import { codedFailure, EXIT, wrongUsage } from '../failure.js';
import { nodeName, nodePath, SEARCH_STEP, versionName, versionPath } from './node-name.js';
import { readAsMember } from './read-as-member.js';
import type { Credential, RegistryClient } from './registry-client.js';
import type { RegistryCall } from './registry-command.js';
import { registryCommand } from './registry-command.js';
import { recordIn, recordsIn, textIn } from './registry-answers.js';
import { printNode, printNodes } from './render-node.js';
import { printVersion } from './render-version.js';

const PAGE = 100;

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
      const read = readAsMember(call, nodeId, async (as) => await call.registry.call('GET', nodePath(nodeId), { as }));
      printNode(await nodeIn(read, nodeId), call.terminal);
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

/** A reserved id is the path of another route, whose answer is not a node. */
async function nodeIn(read: Promise<unknown>, nodeId: string): Promise<JsonRecord> {
  const absent = `no node ${nodeId} here`;
  const found = recordIn(await orNamed(read, absent, SEARCH_STEP));
  if (textIn(found, 'id') === '') throw codedFailure('not_found', absent, EXIT.failed, SEARCH_STEP);
  return found;
}

async function showVersion(call: RegistryCall, nodeId: string, version: string): Promise<void> {
  const read = readAsMember(call, nodeId, async (as) => await versionAs(call.registry, { nodeId, version }, as));
  const absent = `version ${nodeId}@${version} does not exist, or is not visible to you`;
  const step = `heddle registry versions ${nodeId} lists the versions; only members see one that waits for its scan`;
  printVersion(await orNamed(read, absent, step), call.terminal);
}

/** A banned version is shown to a member with its reason: its own route refuses it to everybody. */
async function versionAs(
  registry: RegistryClient,
  { nodeId, version }: { readonly nodeId: string; readonly version: string },
  as: Credential,
): Promise<JsonRecord> {
  try {
    const path = `${versionPath(nodeId, version)}?include_status_reason=true`;
    return recordIn(await registry.call('GET', path, { as }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    const body = { node_versions: [{ node_id: nodeId, version }] };
    const answer = recordIn(await registry.call('POST', '/bulk/nodes/versions', { as, body }));
    const [item = {}] = recordsIn(answer['node_versions']);
    const found = recordIn(item['node_version'] ?? {});
    if (textIn(found, 'status_reason') === '') throw error;
    return found;
  }
}
