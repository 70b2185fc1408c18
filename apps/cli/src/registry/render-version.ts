import { versionStatusOf } from '@heddle/contracts-registry';
import type { VersionStatus } from '@heddle/contracts-registry';
import type { JsonRecord } from '../api/wire.js';
import { byteText, counted } from '../terminal/quantities.js';
import type { Terminal } from '../terminal/terminal.js';
import { textIn } from './registry-answers.js';
import { printFacts } from './render-facts.js';
import { findingsIn, printFindings } from './render-findings.js';

const FACTS = [
  ...['status', 'reason', 'deprecated', 'classes', 'size', 'sha256', 'signed_by', 'created', 'dependencies'],
  ...['supported_os', 'supported_accelerators', 'supported_engine_version', 'supported_engine_frontend_version'],
  ...['tags', 'changelog', 'downloadUrl'],
];

export function statusOf(version: JsonRecord): VersionStatus | null {
  return versionStatusOf(textIn(version, 'status'));
}

export function fullName(version: JsonRecord): string {
  return `${textIn(version, 'node_id')}@${textIn(version, 'version')}`;
}

/** A version as a JSON line, or as facts for a person. */
export function printVersion(version: JsonRecord, terminal: Terminal): void {
  terminal.printJson(version);
  if (terminal.json) return;
  const reason = textIn(version, 'status_reason');
  const findings = findingsIn(reason);
  const size = Number(version['size_bytes']);
  const signature = version['signature'] as JsonRecord | undefined;
  const extraction = textIn(version, 'wf_node_extract_status');
  const why = textIn(version, 'wf_node_extract_reason');
  const facts: JsonRecord = {
    ...version,
    status: statusOf(version) ?? textIn(version, 'status'),
    reason: findings.length > 0 ? `${counted(findings.length, 'finding')} of the scan` : reason,
    deprecated: version['deprecated'] === true ? textIn(version, 'deprecated_reason') || 'yes' : '',
    classes: why === '' ? extraction : `${extraction}: ${why}`,
    size: size > 0 ? byteText(size) : '',
    signed_by: signature?.['keyid'] ?? '',
    created: version['createdAt'] ?? '',
  };
  printFacts(fullName(version), facts, FACTS, terminal);
  printFindings(findings, terminal);
}
