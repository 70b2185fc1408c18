import type { PlainValue } from './plain-value.js';
import type { QueryErrorCode } from './query-error.js';

/** What a chart can do with a column: numbers have a size, instants a place in time, texts only differ. */
export type ColumnKind = 'number' | 'instant' | 'text';

export interface QueryColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** One question over Parquet files of events. */
export interface Question {
  readonly sql: string;
  /** Values of `$name`, as texts. */
  readonly params: Readonly<Record<string, string>>;
  /** The files that the question may read; none: the log is empty. */
  readonly files: readonly string[];
  readonly timeoutMs: number;
  /** As DuckDB writes it: 400MB. */
  readonly memory: string;
  /** A new Parquet file for the rows; null: they are sent. */
  readonly parquet: string | null;
}

/** To the process of a question: the question, then a request for each batch but the first. */
export type ToQuery = { readonly is: 'question'; readonly question: Question } | { readonly is: 'more' };

/** From the process of a question: the columns, batches of rows, and the end or an error. */
export type FromQuery =
  | { readonly is: 'columns'; readonly columns: readonly QueryColumn[] }
  | { readonly is: 'rows'; readonly rows: readonly (readonly PlainValue[])[] }
  | { readonly is: 'end' }
  | { readonly is: 'error'; readonly code: QueryErrorCode | null; readonly message: string };
