import { describe, expect, it } from 'vitest';
import { contentTypeProblem } from './content-type.js';

describe('a content type', () => {
  it('is at most 127 bytes, and says which limit it breaks', () => {
    expect(contentTypeProblem(`a/${'b'.repeat(125)}`)).toBeNull();
    expect(contentTypeProblem(`a/${'b'.repeat(126)}`)).toBe('must be at most 127 bytes');
    expect(contentTypeProblem('png')).toBe('must be a media type such as "image/png"');
  });

  it.each(['a/b;', 'a/b ; x', 'application/vnd.api+json', "x!#$%&'*+.^_`|~-/y"])('may be %j', (text) => {
    expect(contentTypeProblem(text)).toBeNull();
  });

  it.each(['a/b/c', 'a b/c', 'a/b c', ' a/b', 'a/b;é', 'a/b;\n', 'a/b;\u007f', 'ä/b', 'a/(b)'])(
    'must not be %j',
    (text) => {
      expect(contentTypeProblem(text)).not.toBeNull();
    },
  );

  it('is a media type with or without parameters', () => {
    expect(contentTypeProblem('image/png')).toBeNull();
    expect(contentTypeProblem('text/plain; charset=utf-8')).toBeNull();
    for (const text of ['', 'image', 'image/', '/png', 'image/png\r\nx: y', `a/${'b'.repeat(126)}`]) {
      expect(contentTypeProblem(text)).not.toBeNull();
    }
  });
});
