import { fieldText } from '../admin/read-parts.js';
import type { JsonRecord } from '../api/wire.js';
import { findingsIn, printFindings } from '../registry/render-findings.js';
import { plainText } from '../terminal/plain-text.js';
import type { Terminal } from '../terminal/terminal.js';

/** What a decision made of a node, a publisher or a version. */
export function printDecision(decision: JsonRecord, terminal: Terminal): void {
  terminal.printJson(decision);
  if (terminal.json) return;
  const node = fieldText(decision, 'node_id');
  const version = fieldText(decision, 'version');
  const publisher = fieldText(decision, 'publisher');
  const what = node === '' ? `publisher ${publisher}` : `${node}${version === '' ? '' : `@${version}`} of ${publisher}`;
  const reason = fieldText(decision, 'reason');
  const findings = findingsIn(reason);
  const why = findings.length > 0 || reason === '' ? '' : `: ${reason}`;
  terminal.print(plainText(`${what} is ${fieldText(decision, 'status')}${why}`));
  printFindings(findings, terminal);
}
