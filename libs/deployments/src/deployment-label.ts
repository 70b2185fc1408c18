// An entry of its own: a process that checks a label loads no database driver.
import { labelProblemText } from '@heddle/contracts-api-v2';
import { labelProblem } from '@heddle/deployments-domain';

/** What is wrong with a label, as a sentence; null: nothing. */
export function labelFault(label: string): string | null {
  const problem = labelProblem(label);
  return problem === null ? null : labelProblemText(problem, label);
}
