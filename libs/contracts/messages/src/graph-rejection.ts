import { refuse } from './answer.js';
import type { Rejection } from './answer.js';
import type { NodeErrorEntry } from './node-error-entry.js';
import type { UnknownFile } from './validation.port.js';

/** A problem that a person has to solve: others may follow from it. */
interface Cause {
  readonly nodeId: string;
  readonly field: string;
}

/** Limits on the sentences of the message; `details.node_errors` holds all problems. */
export const MAX_EXPLAINED_CAUSES = 8;
const MAX_EXPLAINED_LENGTH = 1_200;
const SHOWN_ID_LENGTH = 40;
const MAX_SHOWN_PATH = 120;

/**
 * The refusal of a graph for problems of its nodes. `causes`: at least the first that a message explains, of `count` in all.
 * `nodes`: how many nodes have them, by default all of `nodeErrors`. `sentenceOf` explains a cause; null: it has no sentence for it.
 */
export function graphRejection<One extends Cause>(
  nodeErrors: Readonly<Record<string, readonly NodeErrorEntry[]>>,
  {
    count,
    causes,
    nodes = Object.keys(nodeErrors).length,
  }: { readonly count: number; readonly causes: readonly One[]; readonly nodes?: number },
  sentenceOf: (cause: One) => string | null,
): Rejection {
  const what = {
    case: 'nodes' as const,
    problems: count,
    nodes,
    sentences: firstSentences(causes, sentenceOf),
  };
  return refuse('invalid_workflow', what, { details: { node_errors: nodeErrors } });
}

/** `Node 1, image: No asset …`, one for each of the first causes. */
function firstSentences<One extends Cause>(
  causes: readonly One[],
  sentenceOf: (cause: One) => string | null,
): readonly string[] {
  const sentences: string[] = [];
  let length = 0;
  for (const cause of causes.slice(0, MAX_EXPLAINED_CAUSES)) {
    const sentence = sentenceOf(cause);
    if (sentence === null) continue;
    const field = cause.field === '' ? '' : `, ${shortened(cause.field)}`;
    const text = `Node ${shortened(cause.nodeId)}${field}: ${sentence}`;
    length += text.length;
    if (sentences.length > 0 && length > MAX_EXPLAINED_LENGTH) break;
    sentences.push(text);
  }
  return sentences;
}

function shortened(name: string, length = SHOWN_ID_LENGTH): string {
  return name.length > length ? `${name.slice(0, length)}…` : name;
}

/**
 * The refusal of a graph that is good except for file names that no asset answers. `nearest`: assets of the account that a name may
 * mean; they come before the engine's own files, which its sentence may name.
 */
export function unknownFilesRejection(
  unknown: readonly UnknownFile[],
  nearest: ReadonlyMap<string, string> = new Map(),
): Rejection {
  // Without a prototype: ids such as `__proto__` are plain keys.
  const errors = Object.create(null) as Record<string, NodeErrorEntry[]>;
  for (const { nodeId, field, reason } of unknown) {
    const found = (errors[nodeId] ??= []);
    const last = found.at(-1);
    // Several names of a node may fail the same input.
    if (last?.field !== field || last.reason !== reason) found.push({ field, reason });
  }
  const causes = unknown.filter(({ isCause }) => isCause);
  return graphRejection(errors, { count: causes.length, causes }, ({ sentence, hint, name }) => {
    const meant = nearest.get(name);
    const question = meant === undefined ? hint : `Did you mean ${shortened(meant, MAX_SHOWN_PATH)}?`;
    return sentence === null || question === null ? sentence : `${sentence} ${question}`;
  });
}
