import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writingNewFile } from './new-file.js';

describe('a new file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'heddle-new-file-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has its name only once it is whole', async () => {
    const path = join(folder, 'answer.csv');
    await writingNewFile(path, async (partial) => {
      await appendFile(partial, 'a\n1\n');
      expect(readdirSync(folder)).not.toContain('answer.csv');
    });
    expect(readdirSync(folder)).toEqual(['answer.csv']);
    expect(readFileSync(path, 'utf8')).toBe('a\n1\n');
  });

  it('is not left behind by a failure', async () => {
    const failing = writingNewFile(join(folder, 'answer.csv'), () => Promise.reject(new Error('too late')));
    await expect(failing).rejects.toThrow('too late');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['taken.csv', 'the path is taken', 'name a new file with --out'],
    ['nowhere/answer.csv', 'its folder does not exist', 'make the folder, or name another file with --out'],
    ['taken.csv/answer.csv', 'a part of the path is a file, not a folder', 'name a new file with --out'],
  ])('is refused at %s', async (name, reason, nextStep) => {
    writeFileSync(join(folder, 'taken.csv'), 'before');
    const path = join(folder, name);
    const refused = writingNewFile(path, () => Promise.reject(new Error('was not asked')));
    await expect(refused).rejects.toMatchObject({ message: `${path} cannot be written: ${reason}`, nextStep });
    expect(readFileSync(join(folder, 'taken.csv'), 'utf8')).toBe('before');
  });
});
