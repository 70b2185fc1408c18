// Loads DuckDB: only the commands that read or write exports import this entry.
export { exportHistory } from './export-history/export-history.js';
export type { ExportOptions, ExportReport } from './export-history/export-history.js';
export { ExportFolder } from './read-export/export-folder.js';
export { checkedManifest, ExportSource } from './read-export/export-source.js';
export { HistoryEngine } from './read-export/history-engine.js';
export { verifyExport } from './read-export/verify-export.js';
export { askQuestion } from './query-history/ask-question.js';
export type { QueryRows } from './query-history/ask-question.js';
export { QueryError } from './query-history/query-error.js';
export type { QueryErrorCode } from './query-history/query-error.js';
export type { ColumnKind, QueryColumn, Question } from './query-history/query-messages.js';
export type { PlainValue } from './query-history/plain-value.js';
export { snapshotLines } from './snapshot-lines/snapshot-lines.js';
export { writeJobsParquet } from './time-travel/jobs-parquet.js';
export { NoSuchPositionError, TravelLog } from './time-travel/travel-log.js';
export type { LoggedPlace } from './time-travel/travel-log.js';
