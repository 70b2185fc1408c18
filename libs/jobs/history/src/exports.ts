// Loads DuckDB: only the commands that read or write exports import this entry.
export { exportHistory } from './export-history/export-history.js';
export type { ExportOptions, ExportReport } from './export-history/export-history.js';
export { ExportFolder } from './read-export/export-folder.js';
export { checkedManifest, ExportSource, openEngine } from './read-export/export-source.js';
export { verifyExport } from './read-export/verify-export.js';
export { QueryError } from './query-history/query-error.js';
export type { QueryErrorCode } from './query-history/query-error.js';
export type { PlainValue } from './query-history/plain-value.js';
export { queryExport } from './query-history/query-export.js';
export type { QueryOptions, QueryRows } from './query-history/query-export.js';
