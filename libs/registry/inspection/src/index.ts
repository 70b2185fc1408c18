export { judgeArchive, type ArchiveVerdict } from './archive/judge-archive.js';
export { readPackageFiles } from './archive/read-package-files.js';
export { unpackArchive, type UnpackedArchive } from './archive/unpack-archive.js';
export type { ArchiveFormat } from './archive/archive-format.js';
export { MAX_FINDINGS, scanPackage } from './scan/scan-package.js';
export type { PackageFiles } from './package-files.js';
export { inspectPackage } from './inspect-package/inspect-package.js';
export { InspectedExtraction, type Inspection } from './inspect-package/inspection.js';
export type { Extraction } from './extract/extract-nodes.js';
