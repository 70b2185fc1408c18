/** Class of the advisory locks on jobs that are being submitted: held shared, so that nobody waits for them. */
const SUBMISSION_LOCKS = 7_236_203;

/** The arguments of a lock function for the submission of a job, whose id is an SQL expression. Two jobs may share a lock. */
export function submissionLockSql(jobId: string): string {
  return `${SUBMISSION_LOCKS}, uuid_hash(${jobId})`;
}
