import { hasControlCharacter, isWellFormed, utf8Length } from './text-form.js';

const FILE_PATH_MAX_BYTES = 1024;
const FILE_PATH_SEGMENT_MAX_BYTES = 255;

/** Embeddings, overrides and isolates make a name display as another, such as `gpj.exe` for `exe.jpg`. */
const BIDIRECTIONAL = /[\u202a-\u202e\u2066-\u2069]/;
/** Windows drops both, so that two names would be one file. */
const BLANK_OR_DOT_LAST = /[\s.]$/u;

/**
 * The problem of a placement path, or null. It must be relative, `/`-separated, NFC, 1..1024 bytes, without an empty,
 * `.` or `..` segment, backslash, colon, control or bidirectional-override character, and without a segment that ends
 * in a blank or a dot (decisions, `file_path` rules).
 */
export function filePathProblem(path: string): string | null {
  if (path.length === 0) return 'must not be empty';
  if (path.length > FILE_PATH_MAX_BYTES) return `must be at most ${FILE_PATH_MAX_BYTES} bytes`;
  if (!isWellFormed(path)) return 'must be well-formed Unicode';
  if (utf8Length(path) > FILE_PATH_MAX_BYTES) return `must be at most ${FILE_PATH_MAX_BYTES} bytes`;
  if (hasControlCharacter(path)) return 'must not contain control characters';
  if (BIDIRECTIONAL.test(path)) return 'must not contain characters that change the direction of text';
  if (path.includes('\\')) return 'must use "/" as its separator, not a backslash';
  if (path.includes(':')) return 'must not contain a colon';
  if (path.startsWith('/')) return 'must be relative: it may not start with "/"';
  if (path.normalize('NFC') !== path) return 'must be in Unicode normalization form NFC';
  for (const segment of path.split('/')) {
    if (segment === '') return 'must not contain an empty segment';
    if (segment === '.' || segment === '..') return 'must not contain "." or ".." as a segment';
    if (BLANK_OR_DOT_LAST.test(segment)) return 'must not contain a segment that ends in a blank or a dot';
    if (utf8Length(segment) > FILE_PATH_SEGMENT_MAX_BYTES) {
      return `must not contain a segment over ${FILE_PATH_SEGMENT_MAX_BYTES} bytes`;
    }
  }
  return null;
}
