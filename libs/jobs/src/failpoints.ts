import { failpoint, registerFailpoints } from '@heddle/platform-database';

/** Where a crash test may end the process: before and after every commit that a client or a worker relies on. */
export const JOBS_FAILPOINTS = [
  'jobs.submit.before-statement',
  'jobs.submit.after-commit',
  'jobs.commit.before-statement',
  'jobs.commit.after-commit',
  'jobs.lease.after-commit',
  'jobs.ingest.before-commit',
  'jobs.ingest.after-commit',
] as const;

registerFailpoints(JOBS_FAILPOINTS);

export function jobsFailpoint(name: (typeof JOBS_FAILPOINTS)[number]): void {
  failpoint(name);
}
