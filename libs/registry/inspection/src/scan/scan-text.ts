import { FINDING_SEVERITIES, type PackageFinding, type FindingType } from '@heddle/contracts-registry';
import type { Parser } from 'web-tree-sitter';
import { PACKAGE_BOUNDS } from '../archive/archive-bounds.js';
import { withPythonNames } from '../python/as-python-reads.js';
import { parsePython } from '../python/parse-python.js';
import type { CodeRule, CodePlace } from './code-rule.js';
import { exportedNames } from './exported-names.js';
import type { ExportedNames, ImportedNames } from './package-names.js';
import { PythonSource, ScanTooLong } from './python-source.js';
import type { ScanBudget } from './scan-budget.js';
import { decodedExec } from './rules/decoded-exec.js';
import { evalExec } from './rules/eval-exec.js';
import { foreignEncoding } from './rules/foreign-encoding.js';
import { hiddenCharacters } from './rules/hidden-characters.js';
import { longLiteral } from './rules/long-literal.js';
import { networkAtImport } from './rules/network-at-import.js';
import { pipInstall } from './rules/pip-install.js';
import { secret } from './rules/secret.js';
import { subprocess } from './rules/subprocess.js';
import { writeOutside } from './rules/write-outside.js';

const RULES: readonly CodeRule[] = [
  hiddenCharacters,
  foreignEncoding,
  decodedExec,
  pipInstall,
  evalExec,
  subprocess,
  networkAtImport,
  writeOutside,
  longLiteral,
];
/** A finding of the second type makes one of the first type on the same line superfluous. */
const INCLUDES: Partial<Record<FindingType, FindingType>> = { 'eval-exec': 'decoded-exec', subprocess: 'pip-install' };

const MAX_SNIPPET = 200;
const MAX_OF_A_RULE = 100;

/** Words of a file that runs or decodes something, or hands on what another one does. */
const MAY_EXPORT =
  /(?<![.\w])(exec|eval|compile)\b|import_module|__import__|builtins|base64|b64|zlib|gzip|bz2|lzma|marshal|pickle|dill|binascii|fromhex|codecs|decode|\bchr\b|requests|urllib|urlopen|httpx|from[ \t]+\./;

export const UNSCANNED =
  'Was not scanned: it is too large or too deep. Split it into smaller files, and put data in files of their own.';

/** The findings in one file, without its path. */
export function scanText(
  path: string,
  given: string,
  parser: Parser,
  budget: ScanBudget,
  imported?: ImportedNames,
): Omit<PackageFinding, 'file_path'>[] {
  const findings = secretsIn(given);
  if (!/\.py$/i.test(path)) return findings;
  const text = withPythonNames(given);
  const lines = new LineIndex(text);
  if (text.length > PACKAGE_BOUNDS.fileBytes) return [...findings, lines.whole('archive', UNSCANNED)];
  const tree = parsePython(parser, text, () => budget.isSpent());
  if (tree === undefined) return [...findings, lines.whole('archive', UNSCANNED)];
  try {
    const source = new PythonSource(text, tree, budget, imported);
    for (const { type, message, find } of RULES) {
      const earlier = findings.filter(({ issue_type }) => issue_type === INCLUDES[type]);
      const found = lines.findings(type, message, find(source));
      findings.push(...found.filter(({ line_number }) => !earlier.some((other) => other.line_number === line_number)));
    }
  } catch (error) {
    if (!(error instanceof ScanTooLong)) throw error;
    findings.push(lines.whole('archive', UNSCANNED));
  } finally {
    tree.delete();
  }
  return findings;
}

/** What files that import this one must know of it; undefined if that takes too long, or there is nothing to know. */
export function namesIn(path: string, given: string, parser: Parser, budget: ScanBudget): ExportedNames | undefined {
  if (!/\.py$/i.test(path) || given.length > PACKAGE_BOUNDS.fileBytes || !MAY_EXPORT.test(given)) return undefined;
  const text = withPythonNames(given);
  const tree = parsePython(parser, text, () => budget.isSpent());
  if (tree === undefined) return undefined;
  try {
    return exportedNames(new PythonSource(text, tree, budget));
  } catch (error) {
    if (!(error instanceof ScanTooLong)) throw error;
    return undefined;
  } finally {
    tree.delete();
  }
}

/** The secrets in a file that is no Python. */
export function secretsIn(text: string): Omit<PackageFinding, 'file_path'>[] {
  return new LineIndex(text).findings(secret.type, secret.message, secret.find(text));
}

/** Makes findings of places in a text: one a line. */
class LineIndex {
  readonly #starts: number[] = [0];

  constructor(private readonly text: string) {
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) this.#starts.push(index + end.length);
  }

  whole(type: FindingType, message: string): Omit<PackageFinding, 'file_path'> {
    return {
      issue_type: type,
      severity: FINDING_SEVERITIES[type],
      line_number: 0,
      code_snippet: '',
      message,
      scanner: 'heddle',
    };
  }

  findings(type: FindingType, message: string, places: Iterable<CodePlace>): Omit<PackageFinding, 'file_path'>[] {
    const found = new Map<number, Omit<PackageFinding, 'file_path'>>();
    for (const place of places) {
      const line = this.#lineOf(place.from);
      if (found.has(line)) continue;
      found.set(line, {
        ...this.whole(type, message),
        line_number: line + 1,
        code_snippet: this.#snippet(line, place),
      });
      if (found.size >= MAX_OF_A_RULE) break;
    }
    return [...found.values()];
  }

  #lineOf(index: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Of a longer line the part around the place. A secret is cut to its first four characters. */
  #snippet(line: number, { from, hideUntil }: CodePlace): string {
    const start = this.#starts[line]!;
    const end = this.#starts[line + 1] ?? this.text.length;
    const begin = from - start < MAX_SNIPPET / 2 ? start : from - 20;
    const hidden = hideUntil === undefined ? '' : `${this.text.slice(begin, from + 4)}…`;
    const rest = this.text.slice(Math.max(begin, hideUntil ?? 0), Math.max(end, hideUntil ?? 0));
    return `${hidden}${hideUntil === undefined ? rest : rest.split(/[\r\n]/)[0]}`.trim().slice(0, MAX_SNIPPET);
  }
}
