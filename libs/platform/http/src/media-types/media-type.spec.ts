import { describe, expect, it } from 'vitest';
import { mediaTypeOf, safeMediaTypeOf } from './media-type.js';

describe('the media type of a file', () => {
  it.each([
    ['a.PNG', 'image/png'],
    ['folder.d/song.opus', 'audio/opus'],
    ['notes.txt', 'text/plain; charset=utf-8'],
    ['drawing.svg', 'image/svg+xml'],
    ['page.html', null],
    ['script.js', null],
    ['a.constructor', null],
    ['a', null],
  ])('of the name %s is %s', (name, type) => {
    expect(mediaTypeOf(name)).toBe(type);
  });

  it.each(['drawing.svg', 'page.html', 'script.js', 'style.css', 'feed.xml'])(
    'that a browser may open hides that %s could be run',
    (name) => {
      expect(safeMediaTypeOf(name)).toBe('application/octet-stream');
    },
  );

  it('that a browser may open is otherwise the same', () => {
    expect(safeMediaTypeOf('a.mp4')).toBe('video/mp4');
  });
});
