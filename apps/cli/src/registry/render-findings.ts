import type { JsonRecord } from '../api/wire.js';
import { fieldText } from '../admin/read-parts.js';
import { plainText } from '../terminal/plain-text.js';
import type { Terminal } from '../terminal/terminal.js';
import { recordsIn } from './registry-answers.js';

/** Findings of a scan for a person: the place, what is wrong, and the line. */
export function printFindings(findings: readonly object[], terminal: Terminal): void {
  for (const finding of recordsIn(findings)) {
    const severity = fieldText(finding, 'severity');
    const mark = terminal.paint(severity === 'block' ? 'red' : 'yellow', severity.padEnd(5));
    terminal.say(`${mark} ${plainText(`${findingLocation(finding)}: ${fieldText(finding, 'message')}`)}`);
    const snippet = plainText(fieldText(finding, 'code_snippet')).trim();
    if (snippet !== '') terminal.say(`      ${terminal.paint('dim', snippet)}`);
  }
}

/** The findings in the reason of a status, which is a JSON list then. */
export function findingsIn(reason: string): readonly JsonRecord[] {
  try {
    return recordsIn(JSON.parse(reason));
  } catch {
    return [];
  }
}

function findingLocation(finding: JsonRecord): string {
  const line = Number(finding['line_number']);
  const path = fieldText(finding, 'file_path');
  return `${path}${line > 0 ? `:${line}` : ''} ${fieldText(finding, 'issue_type')}`;
}
