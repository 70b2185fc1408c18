// An entry of its own: who has no database loads no database driver.
import { isOutage } from '@heddle/platform-database/transient-failures';
import { CallFailedError, DEPENDENCY_AWAY, ServiceAwayError } from '@heddle/platform-service-calls';

const MAX_CAUSES = 10;

/**
 * Whether a handler failed because the database, the blob store or another service is away. Then its message waits, however long; what
 * is left, a message that can never be handled, becomes a dead letter.
 */
export function isDependencyAway(failure: unknown): boolean {
  if (isOutage(failure)) return true;
  for (let cause = failure, depth = 0; cause instanceof Error && depth < MAX_CAUSES; cause = cause.cause, depth++) {
    if (cause instanceof ServiceAwayError) return true;
    if (cause instanceof CallFailedError && cause.code === DEPENDENCY_AWAY) return true;
  }
  return false;
}
