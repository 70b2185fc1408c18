import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileSource } from './run-files.js';

export interface FileSourceUnderTest {
  readonly source: FileSource;
  end(): Promise<void>;
}

/** A name that is the hash of its content, one below a folder, and names that nothing marks as equal content. */
const FILES: Readonly<Record<string, string>> = {
  [`${'0f'.repeat(32)}.png`]: 'by hash',
  'plain.png': 'plain',
  'sub/below.txt': 'below',
  'ein bild ü.png': 'umlaut',
};
const NAMES = Object.keys(FILES);

/** The contract of every source of the files that a graph names; `make` gives it these files. */
export function describeFileSource(
  name: string,
  make: (files: Readonly<Record<string, string>>) => Promise<FileSourceUnderTest>,
): void {
  describe(name, () => {
    let under: FileSourceUnderTest;
    beforeAll(async () => {
      under = await make(FILES);
    });
    afterAll(() => under.end());

    it.each(NAMES)('finds %j with its bytes', async (file) => {
      const found = await under.source.find(file);
      expect(await readFile(await found!.path(), 'utf8')).toBe(FILES[file]);
    });

    it.each(NAMES)('finds %j as an input, as the real engine writes it', async (file) => {
      const found = await under.source.find(`${file} [input]`);
      expect(await readFile(await found!.path(), 'utf8')).toBe(FILES[file]);
    });

    it.each(['absent.png', '', 'plain', 'sub', 'sub/absent.txt', 'plain.png\0', 'plain.png [output]', 'PLAIN.PNG'])(
      'finds nothing by %j',
      async (file) => {
        expect(await under.source.find(file)).toBeNull();
      },
    );

    it.each(['../plain.png', '/etc/passwd', 'sub/../../outside.txt', '..', '.'])(
      'finds nothing outside of the files: %s',
      async (file) => {
        expect(await under.source.find(file)).toBeNull();
      },
    );

    it('has a key of content that stays, and that no other file has', async () => {
      const keys = await Promise.all(NAMES.map(async (file) => (await under.source.find(file))!.contentKey));
      const again = await Promise.all(NAMES.map(async (file) => (await under.source.find(file))!.contentKey));
      expect(again).toEqual(keys);
      const known = keys.filter((key) => key !== null);
      expect(known).not.toEqual([]);
      expect(new Set(known).size).toBe(known.length);
    });
  });
}
