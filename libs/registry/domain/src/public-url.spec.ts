import { describe, expect, it } from 'vitest';
import { isPublicUrl } from './public-url.js';

describe('a URL of a node or a publisher', () => {
  it.each(['https://e.example', 'HTTP://e.example:81/a@b?c=d:e@f#g', 'https://[::1]/'])('is accepted: %s', (text) => {
    expect(isPublicUrl(text)).toBe(true);
  });

  it.each([
    ...['foo', 'javascript:x', 'ftp://e.example/', 'https:e.example', 'https://', 'https://e.example/a b'],
    ...['https://u@e.example/', 'https://u:p@e.example/', 'https://:p@e.example/', 'https://u%3Ap@e.example/'],
  ])('is refused: %s', (text) => {
    expect(isPublicUrl(text)).toBe(false);
  });
});
