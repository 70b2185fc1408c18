export { blobHashOf, isBlobHash, isExpectedHash, matchesExpectedHash } from './blob-hash.js';
export { CONTENT_TYPE_MAX_BYTES, contentTypeProblem } from './content-type.js';
export { decideDeletion } from './deletion.js';
export type { RecordUse } from './deletion.js';
export { expiresInProblem, MAX_EXPIRES_IN, MIN_EXPIRES_IN, parseExpiresIn, retentionSeconds } from './expiry.js';
export { FILE_PATH_MAX_BYTES, FILE_PATH_SEGMENT_MAX_BYTES, filePathProblem } from './file-path.js';
export { outputContentType, outputFilePath } from './output-name.js';
export { MAX_TAG_BYTES, MAX_TAGS, tagSet, tagsProblem } from './tags.js';
