import { describe, expect, it } from 'vitest';
import { attachment, shortFileName } from './content-disposition.js';

describe('the file name of a download', () => {
  it.each([
    'photo.png',
    'a/b/photo.png',
    'naïve ☃.png',
    'quote".png',
    'semi;colon%00.png',
    "it's (1)*.png",
    '\ud800.png',
  ])('of %j is one safe header value', (path) => {
    const header = attachment(path);
    expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[A-Za-z0-9.%!~_-]*$/);
    expect(header).not.toContain('/');
  });

  it('can be decoded to the last segment of the path', () => {
    expect(decodeURIComponent(attachment('d/naïve ☃.png').split("UTF-8''")[1]!)).toBe('naïve ☃.png');
  });

  it('is shortened for a URL between whole characters, and keeps its extension', () => {
    expect(shortFileName('d/short.png')).toBe('short.png');
    const short = shortFileName(`${'😀'.repeat(1_000)}.png`);
    expect(Buffer.byteLength(short)).toBe(1_024);
    expect(short).toMatch(/^(😀)+\.png$/u);
    expect(Buffer.byteLength(shortFileName(`a.${'x'.repeat(5_000)}`))).toBe(1_024);
  });
});
