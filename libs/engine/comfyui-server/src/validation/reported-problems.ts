import type { NodeProblem } from '@heddle/workflow-graph';
import type { Generation } from '../generation.js';

/** Of two problems of one input the engine reports only the second. */
const HIDDEN_BY: readonly (readonly [hidden: string, by: string])[] = [
  // A class's own check replaces the comparison with its list.
  ['value_not_in_list', 'custom_validation_failed'],
  // A slot such as `true` is an index in Python.
  ['bad_link', 'type_mismatch'],
];

/** The problems of one node that the engine would report: an exception in its check hides all others. */
export function reportedProblems(problems: readonly NodeProblem[], generation: Generation): readonly NodeProblem[] {
  const exceptions = problems.filter(({ reason }) => reason === 'validation_exception');
  if (exceptions.length > 0) return exceptions;
  return problems.filter(({ field, reason }) => {
    // The older engine reports nothing for a cycle.
    if (reason === 'dependency_cycle' && generation === '0.3.64') return false;
    // For inputs that are a list or a text the older engine reports each input as missing, and nothing else.
    if (reason === 'invalid_node' && problems.length > 1) return false;
    const hiders = HIDDEN_BY.filter(([hidden]) => hidden === reason).map(([, by]) => by);
    return !problems.some((other) => other.field === field && hiders.includes(other.reason));
  });
}
