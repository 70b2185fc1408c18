import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFolderFailure, DataFolderRefusedError, makeDataFolder } from './data-folder.js';
import { ownerPassword } from './server-folder.js';

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
    expect(refusal('/proc/nope')).toBe(
      `The data directory /proc/nope cannot be used: nothing can be created there: /proc/nope. ${rest}`,
    );
    const long = join(place, 'x'.repeat(300));
    expect(refusal(long)).toBe(`The data directory ${long} cannot be used: the name is too long: ${long}. ${rest}`);
  });
});

describe('a failure with a file of the data folder', () => {
  const failure = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'open', path: '/data/x' });

  it.each([
    ['EACCES', 'this user may not use what is in it: /data/x'],
    ['EROFS', 'its file system is read-only: /data/x'],
    ['ENOSPC', 'no space is left on its disk: /data/x'],
  ])('%s is a refusal in words', (code, reason) => {
    const refusal = dataFolderFailure('/data', failure(code));
    expect(refusal).toBeInstanceOf(DataFolderRefusedError);
    expect(refusal?.message).toBe(
      `The data directory /data cannot be used: ${reason}. Choose another with HEDDLE_DATA.`,
    );
  });

  it('is a refusal too where the password of an existing database is gone', () => {
    const control = mkdtempSync(join(tmpdir(), 'heddle-data-folder-'));
    try {
      const folder = { control, home: control, pgdata: control, log: '', relocated: undefined };
      expect(() => ownerPassword(folder)).toThrow(DataFolderRefusedError);
      expect(() => ownerPassword(folder)).toThrow(/owner-password is missing, .* restore the file from a backup/);
    } finally {
      rmSync(control, { recursive: true });
    }
  });

  it('is nothing else: what no file has failed with stays what it is', () => {
    for (const error of [new Error('x'), failure('EIO'), Object.assign(new Error('y'), { code: 'EACCES' }), 'EACCES'])
      expect(dataFolderFailure('/data', error)).toBeNull();
  });
});
