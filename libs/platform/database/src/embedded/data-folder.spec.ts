import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataFolderRefusedError, makeDataFolder } from './data-folder.js';

describe('a data folder', () => {
  let place: string;
  beforeAll(() => (place = mkdtempSync(join(tmpdir(), 'heddle-data-folder-'))));
  afterAll(() => rmSync(place, { recursive: true }));

  it('is made with those above it, and left as it is where it is there', () => {
    const folder = join(place, 'a', 'b');
    makeDataFolder(folder);
    makeDataFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it('is refused in words where it is a file, or lies below one, or below what nobody can write to', () => {
    const file = join(place, 'file');
    writeFileSync(file, '');
    const refusal = (folder: string): string => {
      try {
        makeDataFolder(folder);
      } catch (error) {
        expect(error).toBeInstanceOf(DataFolderRefusedError);
        return (error as Error).message;
      }
      return 'none';
    };
    const rest = 'Choose another with HEDDLE_DATA.';
    expect(refusal(file)).toBe(`The data directory ${file} cannot be used: ${file} is a file, not a folder. ${rest}`);
    expect(refusal(join(file, 'x'))).toMatch(/^The data directory .*file\/x cannot be used: .* HEDDLE_DATA\.$/);
    expect(refusal('/proc/nope')).toMatch(/^The data directory \/proc\/nope cannot be used: ENOENT.* HEDDLE_DATA\.$/);
  });
});
