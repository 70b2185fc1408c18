import { adminCommand } from '../admin/admin-command.js';
import { noWords } from '../admin/one-name.js';
import { readParts } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import { EXIT } from '../failure.js';
import { printRecords } from '../registry/render-facts.js';
import type { FieldColumn } from '../registry/render-facts.js';
import { findingsIn } from '../registry/render-findings.js';
import { onlyNode } from '../registry/node-name.js';
import { counted } from '../terminal/quantities.js';
import { adminNodePath } from './admin-paths.js';

const QUEUE: readonly FieldColumn[] = [
  { title: 'KIND', field: 'kind' },
  { title: 'NODE', field: 'node_id', whole: true },
  { title: 'VERSION', field: 'version', whole: true },
  { title: 'SINCE', field: 'at' },
  { title: 'TEXT', field: 'text', shrinks: 'first' },
];

const EVENTS: readonly FieldColumn[] = [
  { title: 'SEQ', field: 'seq', align: 'right' },
  { title: 'TYPE', field: 'type' },
  { title: 'AT', field: 'at' },
  { title: 'BY', field: 'actor' },
  { title: 'DATA', field: 'data', shrinks: 'first' },
];

export const queueCommand = adminCommand({
  name: 'registry queue',
  summary: 'list what waits for a decision: flagged versions, requests for a review, reports, dead callbacks',
  words: '',
  options: {},
  examples: ['heddle registry queue', 'heddle registry queue --json | jq -r .kind'],
  async run(call) {
    noWords(call.words, 'registry queue');
    const { json } = call.terminal;
    const shown = (entry: JsonRecord): JsonRecord => {
      const { length } = findingsIn(String(entry['text']));
      return json || length === 0 ? entry : { ...entry, text: counted(length, 'finding') };
    };
    for await (const part of readParts(call.admin, 'registry/queue', 'entries')) {
      printRecords(part.map(shown), QUEUE, call.terminal, 'nothing waits');
    }
    return EXIT.done;
  },
});

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
