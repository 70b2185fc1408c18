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

/** An error of the engine as one line: its quotation of the query, with a caret below, needs lines of its own. */
export function withoutPlace(message: string): string {
  return message
    .replace(/\s*\n\s*LINE \d+:[\s\S]*$/, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}
