import { QueryError } from './query-error.js';

export function lateError(timeoutMs: number): QueryError {
  return new QueryError('sql_limit', `the query took longer than ${timeoutMs / 1_000} s (--timeout-s)`);
}

export function memoryError(memory: string): QueryError {
  return new QueryError('sql_limit', `the query needs more memory than ${memory} (--memory)`);
}
