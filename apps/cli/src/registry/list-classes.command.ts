import { EXIT } from '../failure.js';
import { versionName } from './node-name.js';
import { readClasses } from './read-classes.js';
import { registryCommand } from './registry-command.js';
import { printRecords } from './render-facts.js';
import type { FieldColumn } from './render-facts.js';

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
    const { classes } = await readClasses(call, nodeId, version);
    printRecords(
      classes,
      COLUMNS,
      call.terminal,
      `${name} has no node classes; heddle registry status ${name} says why`,
    );
    return EXIT.done;
  },
});
