import { orNamed } from '../api/api-error.js';
import type { JsonRecord } from '../api/wire.js';
import { EXIT } from '../failure.js';
import { versionName, versionPath } from './node-name.js';
import { readAsMember } from './read-as-member.js';
import { recordIn, recordsIn } from './registry-answers.js';
import { registryCommand } from './registry-command.js';
import { printRecords } from './render-facts.js';
import type { FieldColumn } from './render-facts.js';

const PAGE = 100;

const COLUMNS: readonly FieldColumn[] = [
  { title: 'CLASS', field: 'wf_node_name', whole: true },
  { title: 'CATEGORY', field: 'category' },
  { title: 'RETURNS', field: 'return_types' },
  { title: 'UNKNOWN', field: 'unknown', shrinks: true },
  { title: 'DESCRIPTION', field: 'description', shrinks: 'first' },
];

export const classesCommand = registryCommand({
  name: 'registry classes',
  summary: 'list the node classes of a version with their inputs and outputs',
  words: 'NODE@VERSION',
  options: {},
  examples: [
    'heddle registry classes image-tools@1.2.0',
    'heddle registry classes image-tools@1.2.0 --json | jq -r .input_types',
  ],
  async run(call) {
    const { nodeId, version } = versionName(call.words, 'registry classes');
    const name = `${nodeId}@${version}`;
    const found: JsonRecord[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const path = `${versionPath(nodeId, version)}/wf-nodes?page=${page}&limit=${PAGE}`;
      const read = readAsMember(call, nodeId, async (as) => await call.registry.call('GET', path, { as }));
      const step = `heddle registry versions ${nodeId} lists those that there are`;
      const part = recordIn(await orNamed(read, `no version ${name} for you to see`, step));
      found.push(...recordsIn(part['wf_nodes']));
      pages = Number(part['totalNumberOfPages']);
    }
    printRecords(found, COLUMNS, call.terminal, `${name} has no node classes; heddle registry status ${name} says why`);
    return EXIT.done;
  },
});
