/** Why a deployment is ready. */
export function pollsReason(revision: number): string {
  return `a worker of revision ${revision} polls`;
}
