// Loads DuckDB: only the commands that read or write exports import this entry.
export { exportHistory } from './export-history/export-history.js';
export type { ExportOptions, ExportReport } from './export-history/export-history.js';
export { ExportFolder } from './read-export/export-folder.js';
export { checkedManifest, ExportSource, openEngine } from './read-export/export-source.js';
export { verifyExport } from './read-export/verify-export.js';
