import { hasControlCharacter, isWellFormed, utf8Length } from './text-form.js';

export const MAX_TAGS = 16;
export const MAX_TAG_BYTES = 64;

/** The problem of a list of tags, or null. */
export function tagsProblem(tags: readonly string[]): string | null {
  if (tags.length > MAX_TAGS) return `must be at most ${MAX_TAGS} tags`;
  for (const tag of tags) {
    if (tag.length === 0) return 'must not contain an empty tag';
    if (tag.length <= MAX_TAG_BYTES && !isWellFormed(tag)) return 'must be well-formed Unicode';
    if (tag.length > MAX_TAG_BYTES || utf8Length(tag) > MAX_TAG_BYTES) {
      return `must not contain a tag over ${MAX_TAG_BYTES} bytes`;
    }
    if (hasControlCharacter(tag)) return 'must not contain control characters';
  }
  return null;
}

/** Lists with equal sets are the same tags: order and repetition do not count. */
export function tagSet(tags: readonly string[]): string[] {
  return [...new Set(tags)].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}
