import { DuckDBDataChunk } from '@duckdb/node-api';
import type { DuckDBAppender } from '@duckdb/node-api';
import type { NumberedEvent } from '@heddle/platform-event-log';
import { columnsOf, COLUMN_TYPES } from './event-columns.js';

/** Rows of a chunk of the engine. */
const CHUNK = 2_048;

/** Appends whole chunks, which is twice as fast as rows; flushed, so that its buffer stays small. */
export function appendEvents(appender: DuckDBAppender, events: readonly NumberedEvent[]): void {
  for (let at = 0; at < events.length; at += CHUNK) {
    const part = events.slice(at, at + CHUNK);
    const chunk = DuckDBDataChunk.create(COLUMN_TYPES, part.length);
    chunk.setColumns(columnsOf(part));
    appender.appendDataChunk(chunk);
  }
  appender.flushSync();
}
