import { FINDING_SEVERITIES, type PackageFinding, type FindingType } from '@heddle/contracts-registry';
import type { Parser } from 'web-tree-sitter';
import type { PackageFiles } from '../package-files.js';
import { PackageNames } from './package-names.js';
import { ScanBudget } from './scan-budget.js';
import { namesIn, scanText, UNSCANNED } from './scan-text.js';
import { binary } from './rules/binary.js';

/** Of the time for the scan of a package, what may go before it into the names that its files give each other. */
const SHARE_OF_NAMES = 0.15;
const IMPORTS_BESIDE = /^[ \t]*from[ \t]+\./m;

/** So that one package cannot fill the table of findings. Those that block come first. */
export const MAX_FINDINGS = 100;

/**
 * What is wrong in a package (registry decisions, Scan): blocking findings first, each group in the order of the files.
 * A file that is not scanned by `deadline` (milliseconds of `unfrozenTime()`) is a finding, too. `beside` are those in files
 * that extraction does not read.
 */
export function scanPackage(
  files: PackageFiles,
  parser: Parser,
  deadline = Infinity,
  beside: readonly PackageFinding[] = [],
): PackageFinding[] {
  const top = files.top ?? '';
  const findings = [
    ...(files.damage ?? []).map(({ path, problem }) => wholeFile('archive', path, problem)),
    ...files.paths.filter(binary.matches).map((path) => wholeFile(binary.type, path, binary.message)),
    ...(files.unread ?? []).map((path) => wholeFile('archive', top + path, UNSCANNED)),
    ...beside,
  ];
  const names = namesAcross(files, parser, deadline);
  // Begins to count here.
  const budget = new ScanBudget(deadline);
  for (const [path, text] of files.texts) {
    budget.grant(text.length);
    for (const found of scanText(path, text, parser, budget, names.seenFrom(path)))
      findings.push({ ...found, file_path: top + path });
  }
  const blocking = findings.filter(({ severity }) => severity === 'block');
  const first = [...blocking, ...findings.filter(({ severity }) => severity === 'warn')].slice(0, MAX_FINDINGS);
  return first.map((finding) => ({ ...finding, code_snippet: storable(finding.code_snippet) }));
}

/** What the files of a package give each other. Files after the end of the time are left out. */
function namesAcross({ texts }: PackageFiles, parser: Parser, deadline: number): PackageNames {
  const names = new PackageNames();
  if (![...texts.values()].some((text) => IMPORTS_BESIDE.test(text))) return names;
  const budget = new ScanBudget(deadline, SHARE_OF_NAMES);
  for (const [path, text] of texts) {
    budget.grant(text.length);
    if (budget.isSpent()) break;
    const found = namesIn(path, text, parser, budget);
    if (found !== undefined) names.add(path, found);
  }
  return names;
}

/** PostgreSQL reads no JSON with NUL, or with half of a character that a cut left. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

function wholeFile(type: FindingType, path: string, message: string): PackageFinding {
  return {
    issue_type: type,
    severity: FINDING_SEVERITIES[type],
    file_path: path,
    line_number: 0,
    code_snippet: '',
    message,
    scanner: 'heddle',
  };
}
