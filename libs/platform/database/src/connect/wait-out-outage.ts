import { setTimeout as delay } from 'node:timers/promises';

const LONGEST_PATIENCE_MS = 120_000;
const LONGEST_PAUSE_MS = 1_000;
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

/**
 * Repeats work that a database which is away made fail, for up to two minutes: such a failure is no fault of a message,
 * which must not become a dead letter for it. The work must be idempotent.
 */
export async function waitOutOutage<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + LONGEST_PATIENCE_MS;
  for (let pauseMs = 20; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() > giveUpAt) throw error;
      await delay(pauseMs);
    }
  }
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
