import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { isSafeFileName, plainFileName, withoutFolder } from './file-names.js';

describe('the name of an input file', () => {
  it.each([
    ['photo.png', 'photo.png', 'photo.png'],
    ['photo.png [input]', 'photo.png', 'photo.png'],
    ['photo.png [output]', 'photo.png [output]', 'photo.png'],
    ['photo.png[temp]', 'photo.png[temp]', 'photo.png'],
    ['photo.png[input]', 'photo.png[input]', 'photo.png'],
    ['photo [input] a.png', 'photo [input] a.png', 'photo [input] a.png'],
    ['photo.png [input] [input]', 'photo.png [input]', 'photo.png [input]'],
    [' [input]', '', ''],
  ])('%j is %j without its annotation, and %j without any', (text, plain, bare) => {
    expect(plainFileName(text)).toBe(plain);
    expect(withoutFolder(text)).toBe(bare);
  });

  it.each(['photo.png', 'sub/photo.png', 'a b', '.hidden', 'ü/日本.png', 'ab:c', '...', 'a..b'])(
    '%j stays inside the input folder',
    (name) => {
      expect(isSafeFileName(name)).toBe(true);
    },
  );

  it.each([
    ...['', '/etc/passwd', '../a', 'a/../b', 'a/./b', '.', '..', 'a//b', 'a/', 'a\\b', '..\\a', 'C:/a', 'C:a', 'a:b'],
    ...['a\0', 'a\nb', 'a\u007f', 'photo.png [output]', 'photo.png[temp]', 'photo.png [input]'],
  ])('%j does not', (name) => {
    expect(isSafeFileName(name)).toBe(false);
  });

  it(`that is safe resolves below its folder, whatever its parts (seed ${seed})`, () => {
    const parts = fc.array(fc.constantFrom('..', '.', 'a', '/', '\\', 'C:', '\0', ' [input]'), { maxLength: 10 });
    fc.assert(
      fc.property(parts, (some) => {
        const name = some.join('');
        if (!isSafeFileName(name)) return;
        // As a file system walks it: never above where it began.
        let depth = 0;
        for (const segment of name.split(/[/\\]/)) {
          depth += segment === '..' ? -1 : segment === '.' || segment === '' ? 0 : 1;
          expect(depth).toBeGreaterThan(0);
        }
        expect(name).not.toMatch(/^(?:[/\\]|[A-Za-z]:)|\0/);
      }),
      { seed, numRuns: 500 },
    );
  });
});
