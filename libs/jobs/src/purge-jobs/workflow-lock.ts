/** Class of the advisory locks on workflow hashes: submissions hold them shared, the purge exclusively. */
export const WORKFLOW_LOCKS = 7_236_202;

/**
 * SQL expression of a lock key: the first four bytes of a hash. Two hashes may share it; then one waits for the other.
 */
export function workflowLockSql(firstFourBytes: string): string {
  return `('x' || encode(${firstFourBytes}, 'hex'))::bit(32)::int`;
}
