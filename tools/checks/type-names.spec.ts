import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { duplicateTypeNames } from './type-names.ts';

const root = mkdtempSync(join(tmpdir(), 'heddle-names-'));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const PAIR = {
  'libs/a/package.json': '{}',
  'libs/a/src/place.ts': 'export interface Place {}',
  'libs/b/c/package.json': '{}',
  'libs/b/c/src/place.ts': 'export type Place = string;',
};

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the check of type names', () => {
  it('finds a type that two packages export, and names both files', () => {
    write(PAIR);
    expect(duplicateTypeNames(root)).toEqual([
      'the type Place exists in several files: libs/a/src/place.ts, libs/b/c/src/place.ts',
    ]);
  });

  it('finds a type that two files of a package export', () => {
    write({
      'libs/a/src/find-place/place.ts': 'export interface Place {}',
      'libs/a/src/keep-place/place.sql.ts': 'export interface Place {}',
    });
    expect(duplicateTypeNames(root)).toEqual([
      'the type Place exists in several files: libs/a/src/find-place/place.ts, libs/a/src/keep-place/place.sql.ts',
    ]);
  });

  it('ignores a class with its interface in one file, local types and test support', () => {
    write({
      'libs/a/package.json': '{}',
      'libs/a/src/one.ts': 'export class Own {}\nexport interface Own {}\nexport interface Shared {}',
      'libs/b/package.json': '{}',
      'libs/b/src/local.ts': 'interface Shared {}',
      'libs/b/src/shared.fake.ts': 'export class Shared {}',
    });
    expect(duplicateTypeNames(root)).toEqual([]);
  });
});
