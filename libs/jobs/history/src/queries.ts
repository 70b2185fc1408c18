// Loads no DuckDB: the process of a question does, and a command that only asks starts 0.2 s sooner.
export { ExportBucket } from './export-place/export-bucket.js';
export { ExportFolder } from './export-place/export-folder.js';
export { segmentPaths } from './export-place/export-place.js';
export type { ExportPlace } from './export-place/export-place.js';
export { askQuestion, QuestionProcess } from './query-history/ask-question.js';
export type { QueryRows } from './query-history/ask-question.js';
export type { PlainValue } from './query-history/plain-value.js';
export { QueryError } from './query-history/query-error.js';
export { checkedManifest } from './read-export/checked-manifest.js';
