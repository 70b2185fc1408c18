import { adminCommand } from '../admin/admin-command.js';
import { readParts } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { onlyNode } from '../registry/node-name.js';
import { printRecords } from '../registry/render-facts.js';
import type { FieldColumn } from '../registry/render-facts.js';
import { adminNodePath } from './admin-paths.js';

const EVENTS: readonly FieldColumn[] = [
  { title: 'SEQ', field: 'seq', align: 'right' },
  { title: 'TYPE', field: 'type' },
  { title: 'AT', field: 'at' },
  { title: 'BY', field: 'actor' },
  { title: 'DATA', field: 'data', shrinks: 'first' },
];

export const eventsCommand = adminCommand({
  name: 'registry events',
  summary: 'print the events of a node and its versions, oldest first',
  words: 'NODE',
  options: {},
  examples: ['heddle registry events image-tools', 'heddle registry events image-tools --json | jq -r .type'],
  async run(call) {
    const path = `${adminNodePath(onlyNode(call.words, 'registry events'))}/events`;
    for await (const part of readParts(call.admin, path, 'events')) {
      printRecords(part, EVENTS, call.terminal, 'no events');
    }
    return EXIT.done;
  },
});
