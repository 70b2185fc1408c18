const MAX_CAUSES = 10;

/** True where the statement may or may not have been committed: the connection broke before the answer. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && /connection terminated|timeout/i.test(error.message);
  // The connection codes of class 08 and the shutdown codes of the server; system errors of the socket.
  return /^(08(000|001|003|004|006|007)|57P0[123])$/.test(code) || /^E[A-Z]+$/.test(code);
}

/** True where the same statement may well succeed later: the database is away, busy, full, or was asked to stop. */
export function isTransient(error: unknown): boolean {
  return isConnectionLoss(error) || /^(40|53|55|57|58)/.test(codeOf(error) ?? '');
}

/** True where the failure, or one that caused it, is that of a database that is away: no fault of what was being done. */
export function isOutage(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; cause = cause.cause, depth++) {
    if (isTransient(cause)) return true;
  }
  return false;
}

export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** A unique index holds the value already. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505';
}
