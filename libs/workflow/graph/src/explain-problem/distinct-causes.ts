import type { NodeErrorReason, NodeProblem } from '../check-workflow/node-problems.js';

/**
 * The problems of one node that a person must fix, each cause once. The engine runs a class's own check once per node
 * and repeats its refusal for every covered input: it counts once, and not at all if a list already refuses the same
 * input's value. The check throws on an input that is missing or has the wrong type: that input is the cause.
 */
export function distinctCauses(problems: readonly NodeProblem[]): readonly NodeProblem[] {
  const throwing = problems.some(({ reason }) => THROWING.has(reason));
  return withoutRepeats(throwing ? problems.filter(({ reason }) => reason !== 'validation_exception') : problems);
}

/** What leaves the class's own check without a value that it can read. */
const THROWING: ReadonlySet<NodeErrorReason> = new Set([
  'missing_input',
  'invalid_value_type',
  'bad_link',
  'link_source_not_found',
  'link_slot_out_of_range',
]);

function withoutRepeats(problems: readonly NodeProblem[]): readonly NodeProblem[] {
  const refused = problems.filter(({ reason }) => reason === 'custom_validation_failed');
  if (refused.length === 0) return problems;
  const inList = new Set(problems.filter(({ reason }) => reason === 'value_not_in_list').map(({ field }) => field));
  const kept = refused.some(({ field }) => inList.has(field)) ? undefined : refused[0];
  return problems.filter((problem) => problem.reason !== 'custom_validation_failed' || problem === kept);
}
