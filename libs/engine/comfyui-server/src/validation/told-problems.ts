import type { NodeProblem } from '@heddle/workflow-graph';
import type { Generation } from '../generation.js';

/** Of two problems of one input the engine tells the second alone. */
const HIDDEN_BY: readonly (readonly [hidden: string, by: string])[] = [
  // What a class judges by itself is not compared with its list.
  ['value_not_in_list', 'custom_validation_failed'],
  // A slot such as `true` is an index to it.
  ['bad_link', 'type_mismatch'],
];

/** The problems of one node that the engine would tell of: an exception in its check hides all others. */
export function toldProblems(problems: readonly NodeProblem[], generation: Generation): readonly NodeProblem[] {
  const exceptions = problems.filter(({ reason }) => reason === 'validation_exception');
  if (exceptions.length > 0) return exceptions;
  return problems.filter(({ field, reason }) => {
    // The older engine gives up on a cycle without a word.
    if (reason === 'dependency_cycle' && generation === '0.3.64') return false;
    // In inputs that are a list or a text the older engine misses each input, and nothing else.
    if (reason === 'invalid_node' && problems.length > 1) return false;
    const hiders = HIDDEN_BY.filter(([hidden]) => hidden === reason).map(([, by]) => by);
    return !problems.some((other) => other.field === field && hiders.includes(other.reason));
  });
}
