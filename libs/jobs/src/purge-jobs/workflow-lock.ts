/** Class of the advisory locks on hashes of workflows: held shared by submissions, exclusively by who removes the bytes. */
export const WORKFLOW_LOCKS = 7_236_202;

/** Key of the lock from the first four bytes of a hash, an SQL expression. Two hashes may share it: one waits for the other then. */
export function workflowLockSql(firstFourBytes: string): string {
  return `('x' || encode(${firstFourBytes}, 'hex'))::bit(32)::int`;
}
