// Loads DuckDB: only commands whose own process reads or writes exports import this entry.
export { exportHistory } from './export-history/export-history.js';
export type { ExportOptions, ExportReport } from './export-history/export-history.js';
export { ExportSource } from './read-export/export-source.js';
export { HistoryEngine } from './read-export/history-engine.js';
export { verifyExport } from './read-export/verify-export.js';
export { snapshotLines } from './snapshot-lines/snapshot-lines.js';
export { writeJobsParquet } from './time-travel/jobs-parquet.js';
export { NoSuchPositionError, TravelLog } from './time-travel/travel-log.js';
export type { LoggedPlace } from './time-travel/travel-log.js';
