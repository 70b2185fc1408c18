import { causesOf } from '@heddle/platform-telemetry/causes';

/** Of a socket that was open, and of names and routes that are not there. Files have other ones. */
const SOCKET_CODES: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
]);
/** The driver's errors without a code: a connection that ended before the answer, or before the statement was sent. */
const LOST = /connection terminated|timeout|is not queryable/i;

/** True if the statement may have been committed: the connection broke before the answer. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && LOST.test(error.message);
  // Connection errors (class 08) and server shutdown codes.
  if (/^(08(000|001|003|004|006|007)|57P0[123])$/.test(code)) return true;
  return SOCKET_CODES.has(code) || (error as NodeJS.ErrnoException).syscall === 'connect';
}

/** True if the same statement may succeed later: the database is unreachable, busy, full, or shutting down. */
export function isTransient(error: unknown): boolean {
  return isConnectionLoss(error) || /^(40|53|55|57|58)/.test(codeOf(error) ?? '');
}

/**
 * True if the failure or one of its causes means that the database is unreachable. To a process that runs, so is a
 * server that refuses its role: after a change of the password, its work waits for the new one.
 */
export function isOutage(error: unknown): boolean {
  return causesOf(error).some((cause) => isTransient(cause) || isLoginRefused(cause));
}

/** The server refused the role or its password: no statement was sent to it. */
export function isLoginRefused(error: unknown): boolean {
  return /^28(000|P01)$/.test(codeOf(error) ?? '');
}

/** Another transaction held a row for longer than the role's lock timeout. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** No connection came free in time, because all are in use or the server does not answer: nothing was sent to it. */
export function isPoolExhausted(error: unknown): boolean {
  // The driver gives this error no code.
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** A unique index holds the value already. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505';
}
