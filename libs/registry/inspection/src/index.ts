export { judgeArchive } from './archive/judge-archive.js';
export { unpackArchive } from './archive/unpack-archive.js';
export { inspectPackage } from './inspect-package/inspect-package.js';
export { InspectedExtraction, type Inspection } from './inspect-package/inspection.js';
export type { Extraction } from './extract/extract-nodes.js';
