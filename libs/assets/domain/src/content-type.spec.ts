import { describe, expect, it } from 'vitest';
import { contentTypeProblem } from './content-type.js';

describe('a content type', () => {
  it('is a media type with or without parameters', () => {
    expect(contentTypeProblem('image/png')).toBeNull();
    expect(contentTypeProblem('text/plain; charset=utf-8')).toBeNull();
    for (const text of ['', 'image', 'image/', '/png', 'image/png\r\nx: y', `a/${'b'.repeat(126)}`]) {
      expect(contentTypeProblem(text)).not.toBeNull();
    }
  });
});
