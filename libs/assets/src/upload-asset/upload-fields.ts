import {
  contentTypeProblem,
  expiresInProblem,
  filePathProblem,
  isExpectedHash,
  parseExpiresIn,
  tagsProblem,
} from '@heddle/assets-domain';
import { invalidFields } from '@heddle/contracts-messages';
import type { Rejection } from '@heddle/contracts-messages';

const FIELDS: ReadonlySet<string> = new Set([
  'file',
  'content_type',
  'file_path',
  'expected_hash',
  'tags',
  'expires_in',
]);
const MAX_UNKNOWN = 16;

export function isUploadField(name: string): boolean {
  return FIELDS.has(name);
}

/** The parts of an upload other than its file, as they arrive (api-v2, POST /assets). */
export class UploadFields {
  readonly tags: string[] = [];
  readonly #values = new Map<string, string>();
  /** By part name: the problem and what is expected. */
  readonly problems: Record<string, string> = {};

  /** Unknown parts: they are ignored, and named if the upload is refused. */
  readonly unknown: string[] = [];

  add(name: string, value: string): void {
    if (!isUploadField(name) && this.unknown.length < MAX_UNKNOWN) this.unknown.push(name);
    if (name === 'tags') this.tags.push(value);
    else this.#values.set(name, value);
    const problem = this.#problemOf(name, value);
    if (problem !== null) this.problems[name] ??= problem;
  }

  get isWrong(): boolean {
    return Object.keys(this.problems).length > 0;
  }

  /** Call it once everything has arrived: then missing parts are known too. */
  check(sawFile: boolean): Rejection | null {
    for (const name of ['content_type', 'file_path'])
      if (!this.#values.has(name)) this.problems[name] ??= 'is required';
    if (!sawFile) this.problems['file'] ??= 'is required';
    return this.isWrong ? invalidFields(this.problems, this.unknown) : null;
  }

  get contentType(): string {
    return this.#values.get('content_type') ?? '';
  }
  get filePath(): string {
    return this.#values.get('file_path') ?? '';
  }
  get expectedHash(): string | null {
    return this.#values.get('expected_hash') ?? null;
  }
  get expiresIn(): number | null {
    const text = this.#values.get('expires_in');
    return text === undefined ? null : parseExpiresIn(text);
  }

  #problemOf(name: string, value: string): string | null {
    switch (name) {
      case 'content_type':
        return contentTypeProblem(value);
      case 'file_path':
        return filePathProblem(value);
      case 'expected_hash':
        return isExpectedHash(value) ? null : 'must be blake3: and 64 hex digits';
      case 'expires_in':
        return expiresInProblem(parseExpiresIn(value));
      case 'tags':
        return tagsProblem([value]);
      default:
        return null;
    }
  }
}
