import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodePng, pngText } from './encode-png.js';
import { pictureFormat } from './picture-format.js';
import { resultName } from './result-name.js';

const NOON = new Date(2026, 10, 21, 12, 5, 9);

describe('the name of a saved file', () => {
  it.each([
    ['ComfyUI', '', 'ComfyUI'],
    ['a/b/c', 'a/b', 'c'],
    ['a/', '', 'a'],
    ['a/../b', '', 'b'],
    ['%width%x%height%', '', '8x6'],
    ['%year%-%month%-%day% %hour%%minute%%second%', '', '2026-11-21 120509'],
    ['s/%batch_num%', 's', '%batch_num%'],
    ['', '', '.'],
  ])('for the prefix %j lies in %j and begins with %j', (prefix, subfolder, base) => {
    expect(resultName(prefix, 8, 6, NOON)).toEqual({ subfolder, base });
  });

  it.each(['/escape/abs', '../up', 'a/../../up', '..'])('may not leave the output folder: %s', (prefix) => {
    expect(() => resultName(prefix, 8, 6, NOON)).toThrow('Saving image outside the output folder is not allowed.');
  });

  it.each([
    ['x'.repeat(300), '[Errno 36] File name too long: it has 300 bytes, and at most 239 are allowed'],
    ['a\0b', 'The file name holds the control character U+0000: a name without it is needed'],
    ['a/b\u007fc', 'The file name holds the control character U+007F: a name without it is needed'],
  ])('must be one that a file can have: %j', (prefix, message) => {
    expect(() => resultName(prefix, 8, 6, NOON)).toThrow(message);
  });
});

describe('a written PNG', () => {
  it('decodes to the same pixels, whatever they are', async () => {
    const picture = fc.record({
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 12 }),
      channels: fc.constantFrom(3, 4),
      seed: fc.integer(),
      kind: fc.nat(2),
    });
    await fc.assert(
      fc.asyncProperty(picture, async ({ width, height, channels, seed, kind }) => {
        const pixels = Uint8Array.from({ length: width * height * channels }, (_, i) => pixelOf(i, seed, kind));
        const parts = await encodePng(pixels, { width, height, channels, level: 4 });
        const file = Buffer.concat(parts.map((part) => part ?? pngText('prompt', '{}')));
        const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
        expect(info).toMatchObject({ width, height, channels });
        expect(data.equals(pixels)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the format of a file', () => {
  it.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', null],
    ['%PDF-1.7', null],
    ['', null],
    ['GIF89a', 'gif'],
    ['RIFF0000WEBPVP8 ', 'webp'],
    ['\xff\xd8\xff\xe0', 'jpeg'],
  ])('that begins with %j is %s', (text, format) => {
    expect(pictureFormat(Buffer.from(text, 'latin1'))?.format ?? null).toBe(format);
  });
});

function pixelOf(index: number, seed: number, kind: number): number {
  if (kind === 0) return seed & 0xff;
  if (kind === 1) return (index + seed) & 0xff;
  return (Math.imul(index ^ seed, 0x9e3779b1) >>> 13) & 0xff;
}
