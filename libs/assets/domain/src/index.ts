export { blobHashOf, isBlobHash, isExpectedHash, matchesExpectedHash } from './blob-hash.js';
export { contentTypeProblem } from './content-type.js';
export { decideDeletion } from './deletion.js';
export { expiresInProblem, MAX_EXPIRES_IN, MIN_EXPIRES_IN, parseExpiresIn, retentionSeconds } from './expiry.js';
export { filePathProblem } from './file-path.js';
export { outputContentType, outputFilePath } from './output-name.js';
export { MAX_TAGS, tagSet, tagsProblem } from './tags.js';
