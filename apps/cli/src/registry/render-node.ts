import type { JsonRecord } from '../api/wire.js';
import type { Terminal } from '../terminal/terminal.js';
import { recordIn, textIn } from './registry-answers.js';
import { printFacts, printRecords } from './render-facts.js';
import type { FieldColumn } from './render-facts.js';

const FACTS = [
  ...['name', 'publisher', 'status', 'status_detail', 'latest_version', 'downloads', 'rating', 'description'],
  ...['author', 'category', 'license', 'repository', 'tags', 'supported_os', 'supported_accelerators'],
  ...['supported_engine_version', 'supported_engine_frontend_version', 'created_at'],
];

const COLUMNS: readonly FieldColumn[] = [
  { title: 'NODE', field: 'id', whole: true },
  { title: 'VERSION', field: 'latest_version' },
  { title: 'DOWNLOADS', field: 'downloads', align: 'right' },
  { title: 'PUBLISHER', field: 'publisher' },
  { title: 'DESCRIPTION', field: 'description', shrinks: 'first' },
];

export function printNode(node: JsonRecord, terminal: Terminal): void {
  terminal.printJson(node);
  if (!terminal.json) printFacts(textIn(node, 'id'), shortened(node), FACTS, terminal);
}

export function printNodes(nodes: readonly JsonRecord[], terminal: Terminal): void {
  if (terminal.json) for (const node of nodes) terminal.printJson(node);
  else printRecords(nodes.map(shortened), COLUMNS, terminal, 'no nodes');
}

/** With the ids of what lies in it. */
function shortened(node: JsonRecord): JsonRecord {
  const status = textIn(node, 'status').replace('NodeStatus', '').toLowerCase();
  const latest = textIn(recordIn(node['latest_version'] ?? {}), 'version');
  return { ...node, status, latest_version: latest, publisher: textIn(recordIn(node['publisher'] ?? {}), 'id') };
}
