import type { FileVerdict, ToldProblem } from '@heddle/validation';
import { isRecord } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';

/** A file's verdict for people: one line when it is fine, else every problem of every node; warnings follow. */
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

/** `  node 5, steps: value_above_max: the value must be at most 10000`. */
function problemLine({ nodeId, field, reason, words }: ToldProblem): string {
  return plainText(`  node ${nodeId}${field === '' ? '' : `, ${field}`}: ${reason}: ${words}`);
}

/** `details.node_errors` of a refusal, a problem a line: `  node 5, steps: value_above_max`. */
export function problemLines(details: unknown): string[] {
  const nodes = isRecord(details) ? details['node_errors'] : undefined;
  if (!isRecord(nodes)) return [];
  return Object.entries(nodes).flatMap(([node, problems]) =>
    (Array.isArray(problems) ? (problems as readonly unknown[]) : []).map((problem) => {
      const field =
        isRecord(problem) && typeof problem['field'] === 'string' && problem['field'] !== ''
          ? `, ${problem['field']}`
          : '';
      const reason = isRecord(problem) && typeof problem['reason'] === 'string' ? problem['reason'] : 'unknown problem';
      return plainText(`  node ${node}${field}: ${reason}`);
    }),
  );
}
