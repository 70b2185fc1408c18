import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyPatches, patchProblems } from './apply-patches.mjs';

const PUBLISHED = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
/** One line changed, two added, one removed: later hunks start at other lines than before. */
const PATCHED = PUBLISHED.replace('line 3\n', 'line three\nand\nmore\n').replace('line 18\n', '');

describe('the patches of installed packages', () => {
  let root: string;
  let file: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'heddle-patches-'));
    for (const folder of ['a', 'b', 'patches', 'node_modules/x']) mkdirSync(join(root, folder), { recursive: true });
    file = join(root, 'node_modules/x/x.js');
    writeFileSync(join(root, 'node_modules/x/package.json'), '{"version":"1.0.0"}');
    writeFileSync(join(root, 'a/x.js'), PUBLISHED);
    writeFileSync(join(root, 'b/x.js'), PATCHED);
    writeFileSync(file, PUBLISHED);
    writeFileSync(join(root, 'patches/x@1.0.0.patch'), unifiedDiff());
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** As `diff` writes it, which ends with 1 when there is a difference. */
  function unifiedDiff(): string {
    const script = 'diff -ru a b; [ $? -eq 1 ]';
    return execFileSync('sh', ['-c', script], { cwd: root, encoding: 'utf8' });
  }

  it('are applied once', () => {
    expect(patchProblems(root)).toEqual([expect.stringContaining('x.js is not patched')]);
    expect(applyPatches(root)).toEqual(['x@1.0.0: patched 1 files']);
    expect(readFileSync(file, 'utf8')).toBe(PATCHED);
    expect(patchProblems(root)).toEqual([]);
    expect(applyPatches(root)).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(PATCHED);
  });

  it('replace a file and keep its mode: others may share its bytes', () => {
    chmodSync(file, 0o755);
    linkSync(file, join(root, 'shared'));
    applyPatches(root);
    expect(readFileSync(join(root, 'shared'), 'utf8')).toBe(PUBLISHED);
    expect(statSync(file).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(root, 'node_modules/x')).toSorted()).toEqual(['package.json', 'x.js']);
  });

  it('name both versions where another one is installed', () => {
    writeFileSync(join(root, 'node_modules/x/package.json'), '{"version":"1.1.0"}');
    const said = 'patches/x@1.0.0.patch is for x 1.0.0, and 1.1.0 is installed';
    expect(() => applyPatches(root)).toThrow(said);
    expect(patchProblems(root)).toEqual([expect.stringContaining(said)]);
  });

  it('leave a package alone that somebody else changed', () => {
    const other = PUBLISHED.replace('line 17', 'another');
    writeFileSync(file, other);
    expect(() => applyPatches(root)).toThrow('neither as published nor as patched');
    expect(readFileSync(file, 'utf8')).toBe(other);
  });
});
