export type QueryErrorCode = 'sql_refused' | 'sql_failed' | 'sql_limit';

/** A question that was refused, failed, or needed more than its limits. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  constructor(
    readonly code: QueryErrorCode,
    message: string,
  ) {
    super(message);
  }
}
