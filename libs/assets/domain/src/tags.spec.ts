import { describe, expect, it } from 'vitest';
import { MAX_TAG_BYTES, MAX_TAGS, tagSet, tagsProblem } from './tags.js';

describe('the tags of an asset', () => {
  it.each([
    [[]],
    [['a', 'b']],
    [['x'.repeat(MAX_TAG_BYTES)]],
    [['ü'.repeat(MAX_TAG_BYTES / 2)]],
    [['é'.repeat(32)]],
    [Array.from({ length: MAX_TAGS }, (_, index) => `t${index}`)],
  ])('may be %j', (tags) => {
    expect(tagsProblem(tags)).toBeNull();
  });

  it.each([
    [[''], 'must not contain an empty tag'],
    [['x'.repeat(MAX_TAG_BYTES + 1)], 'must not contain a tag over 64 bytes'],
    [[`${'ü'.repeat(MAX_TAG_BYTES / 2)}x`], 'must not contain a tag over 64 bytes'],
    [['\ud800'], 'must be well-formed Unicode'],
    [['a\u0000b'], 'must not contain control characters'],
    [['a\nb'], 'must not contain control characters'],
    [['é'.repeat(33)], 'must not contain a tag over 64 bytes'],
    [Array.from({ length: MAX_TAGS + 1 }, (_, index) => `t${index}`), 'must be at most 16 tags'],
  ])('may not be %j: it %s', (tags, problem) => {
    expect(tagsProblem(tags)).toBe(problem);
  });

  it('are a set: order and repetition do not count', () => {
    expect(tagSet(['b', 'a', 'b'])).toEqual(['a', 'b']);
  });
});
