import type { JsonPath } from '../json/json-value.js';
import type { NodeErrorReason } from './node-problems.js';

/** A constant that names an input file: an asset of the account by its `file_path`, or a file that the engine lists. */
export interface NamedFile {
  readonly nodeId: string;
  readonly input: string;
  /** From the root of the workflow to the string. */
  readonly path: JsonPath;
  /** The name without an ` [input]` annotation. */
  readonly name: string;
  /** True if the engine lists a file of that name. */
  readonly listed: boolean;
  /** Problems if the name is neither an asset nor listed; empty if any text is allowed. */
  readonly reasonsIfUnknown: readonly NodeErrorReason[];
  /** Other inputs of the node that fail with it (`custom_validation_failed`), because one check covers them all. */
  readonly alsoFailing: readonly string[];
}

const INPUT_ANNOTATION = ' [input]';
const OTHER_FOLDER = /\[(?:output|temp|input)\]$/;
const ANNOTATION = / ?\[(?:output|temp|input)\]$/;

/** The bare name: `photo.png [input]` becomes `photo.png`. */
export function plainFileName(text: string): string {
  return text.endsWith(INPUT_ANNOTATION) ? text.slice(0, -INPUT_ANNOTATION.length) : text;
}

/** The name without any folder annotation. */
export function withoutFolder(text: string): string {
  return text.replace(ANNOTATION, '');
}

/**
 * True if the name stays inside the engine's input folder: relative, `/`-separated, no empty, `.` or `..` segment, no
 * backslash, drive letter or control character, and no annotation of another folder.
 */
export function isSafeFileName(name: string): boolean {
  if (name === '' || OTHER_FOLDER.test(name)) return false;
  for (let i = 0; i < name.length; i++) {
    const c = name.charCodeAt(i);
    if (c < 0x20 || c === 0x7f || c === 0x5c || (c === 0x3a && i === 1)) return false;
  }
  return name.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
