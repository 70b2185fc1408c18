import type { NodeProblem } from '../check-workflow/node-problems.js';

/**
 * The problems of one node that a person has to solve, each cause once. The engine runs the own check of a class once for a
 * node and repeats its one refusal for every input that the check takes: it counts once, and not at all beside a list that
 * refuses the value of the same input.
 */
export function distinctCauses(problems: readonly NodeProblem[]): readonly NodeProblem[] {
  const refused = problems.filter(({ reason }) => reason === 'custom_validation_failed');
  const inList = new Set(problems.filter(({ reason }) => reason === 'value_not_in_list').map(({ field }) => field));
  const kept = refused.some(({ field }) => inList.has(field)) ? undefined : refused[0];
  return problems.filter((problem) => problem.reason !== 'custom_validation_failed' || problem === kept);
}
