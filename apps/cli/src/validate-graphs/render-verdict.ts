import type { FileVerdict } from '@heddle/validation';
import { isRecord } from '../api/wire.js';
import { plainText } from '../terminal/plain-text.js';

/** A file's verdict for people: one line when it is fine, else every problem of every node. */
export function renderVerdict(file: string, { valid, error }: FileVerdict): string[] {
  if (valid || error === null) return [`${file}: valid`];
  const head = `${file}: ${plainText(error.code)}: ${plainText(error.message)}`;
  return [head, ...problemLines(error.details)];
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
