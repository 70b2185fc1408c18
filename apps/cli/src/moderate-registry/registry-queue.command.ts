import { adminCommand } from '../admin/admin-command.js';
import { noWords } from '../admin/one-name.js';
import { readParts } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import { EXIT } from '../failure.js';
import { printRecords } from '../registry/render-facts.js';
import type { FieldColumn } from '../registry/render-facts.js';
import { findingsIn } from '../registry/render-findings.js';
import { counted } from '../terminal/quantities.js';

const QUEUE: readonly FieldColumn[] = [
  { title: 'KIND', field: 'kind' },
  { title: 'NODE', field: 'node_id', whole: true },
  { title: 'VERSION', field: 'version', whole: true },
  { title: 'SINCE', field: 'at' },
  { title: 'TEXT', field: 'text', shrinks: 'first' },
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
