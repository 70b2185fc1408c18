import { parentPort } from 'node:worker_threads';
import type { Parser } from 'web-tree-sitter';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { PackageFinding } from '@heddle/contracts-registry';
import { PACKAGE_BOUNDS } from '../archive/archive-bounds.js';
import { readPackageFiles } from '../archive/read-package-files.js';
import { extractNodes, type WrittenExtraction } from '../extract/extract-nodes.js';
import { isParserBroken, loadPython } from '../python/parse-python.js';
import { MAX_FINDINGS, scanPackage } from '../scan/scan-package.js';
import { secretsIn } from '../scan/scan-text.js';
import type { InspectionReport, InspectionTask } from './inspection.js';
import { unfrozenTime } from '../unfrozen-time.js';

/** Of the time of a task, what may have passed when the extraction ends, and when the scan ends. */
const SHARES = { extraction: 0.5, scan: 0.9 };

let parser: Parser | undefined;

// Reads packages on a thread of its own: a package can take long and much memory, and only a thread can be ended at any time.
parentPort?.on('message', (task: InspectionTask) => {
  void inspect(task).catch((error: unknown) => {
    report({ kind: 'failed', message: errorMessage(error) });
  });
});

async function inspect({ path, milliseconds }: InspectionTask): Promise<void> {
  const start = unfrozenTime();
  parser ??= await loadPython();
  report({ kind: 'begun' });
  const beside: PackageFinding[] = [];
  const files = await readPackageFiles(path, PACKAGE_BOUNDS, (file, text) => {
    if (beside.length < MAX_FINDINGS) beside.push(...secretsIn(text).map((found) => ({ ...found, file_path: file })));
  });
  const left = start + milliseconds * SHARES.extraction - unfrozenTime();
  let findings: readonly PackageFinding[];
  try {
    reportClasses(extractNodes(files, parser, left));
    findings = scanPackage(files, parser, start + milliseconds * SHARES.scan, beside);
  } catch {
    // From here on only the contents decide, so another try would end the same: the parser aborts on some trees.
    return report({ kind: 'gave_up' });
  }
  report({ kind: 'scanned', findings, isUsable: !isParserBroken() });
}

function reportClasses({ nodes, status, reason, json }: WrittenExtraction): void {
  const bytes = new TextEncoder().encode(json);
  const names = nodes.map(({ wf_node_name: name }) => name);
  const message: InspectionReport = { kind: 'extracted', extraction: { status, reason, names, json: bytes } };
  parentPort?.postMessage(message, [bytes.buffer]);
}

function report(message: InspectionReport): void {
  parentPort?.postMessage(message);
}
