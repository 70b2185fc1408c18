// A separate entry: processes without a database load no database driver.
import { isOutage } from '@heddle/platform-database/transient-failures';
import { CallFailedError, DEPENDENCY_AWAY, ServiceAwayError } from '@heddle/platform-service-calls';
import { causesOf } from '@heddle/platform-telemetry/causes';

/**
 * True if a handler failed because the database, the blob store or another service is unreachable. Its message then
 * waits, however long; only a message that can never be handled becomes a dead letter.
 */
export function isDependencyAway(failure: unknown): boolean {
  if (isOutage(failure)) return true;
  return causesOf(failure).some(
    (cause) =>
      cause instanceof ServiceAwayError || (cause instanceof CallFailedError && cause.code === DEPENDENCY_AWAY),
  );
}
