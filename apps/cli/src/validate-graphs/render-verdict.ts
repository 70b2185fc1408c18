import type { FileVerdict, DescribedProblem } from '@heddle/validation';
import { plainText } from '../terminal/plain-text.js';

/** Renders a file's verdict: one line if it is valid, otherwise every problem of every node; warnings follow. */
export function renderVerdict(file: string, verdict: FileVerdict): string[] {
  const warnings = verdict.warnings.map((warning) => plainText(`  warning: ${warning}`));
  return [...judgement(plainText(file), verdict), ...warnings];
}

function judgement(shown: string, { error, problems, warnings }: FileVerdict): string[] {
  if (error === null) {
    const count = warnings.length === 0 ? '' : `, ${warnings.length} warning${warnings.length === 1 ? '' : 's'}`;
    return [`${shown}: valid${count}`];
  }
  if (problems.length === 0) return [`${shown}: ${plainText(error.code)}: ${plainText(error.message)}`];
  const nodes = new Set(problems.map(({ nodeId }) => nodeId)).size;
  const count = `${problems.length} problem${problems.length === 1 ? '' : 's'} in ${nodes} node${nodes === 1 ? '' : 's'}`;
  return [`${shown}: ${plainText(error.code)}: ${count}`, ...problems.map(problemLine)];
}

/** `  node 5, steps: The value 20000 is above the maximum of 10000. (value_above_max)` */
export function problemLine({ nodeId, field, reason, words }: DescribedProblem): string {
  return plainText(`  node ${nodeId}${field === '' ? '' : `, ${field}`}: ${words} (${reason})`);
}
