import { failpoint, registerFailpoints } from '@heddle/platform-database';

/** Where a crash test may end the process: round every commit, and once an intake is closed. */
export const DEPLOYMENTS_FAILPOINTS = [
  'deployments.change.before-commit',
  'deployments.change.after-commit',
  'deployments.intake.closed',
] as const;

registerFailpoints(DEPLOYMENTS_FAILPOINTS);

export function deploymentsFailpoint(name: (typeof DEPLOYMENTS_FAILPOINTS)[number]): void {
  failpoint(name);
}
