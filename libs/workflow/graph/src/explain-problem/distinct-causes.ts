import type { NodeProblem } from '../check-workflow/node-problems.js';

/**
 * The problems of one node that a person must fix, each cause once. The engine runs a class's own check once per node
 * and repeats its refusal for every covered input: it counts once, and not at all if a list already refuses the same
 * input's value.
 */
export function distinctCauses(problems: readonly NodeProblem[]): readonly NodeProblem[] {
  const refused = problems.filter(({ reason }) => reason === 'custom_validation_failed');
  if (refused.length === 0) return problems;
  const inList = new Set(problems.filter(({ reason }) => reason === 'value_not_in_list').map(({ field }) => field));
  const kept = refused.some(({ field }) => inList.has(field)) ? undefined : refused[0];
  return problems.filter((problem) => problem.reason !== 'custom_validation_failed' || problem === kept);
}
