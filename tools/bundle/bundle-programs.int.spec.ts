import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundlePrograms } from './bundle-programs.ts';
import type { Programs } from './bundle-programs.ts';

const LIBRARY = `
import { readFileSync } from 'node:fs';
export const beside = () => readFileSync(new URL('../words.txt', import.meta.url), 'utf8');
export const place = () => import.meta.url;
export const folder = () => new URL('../', import.meta.url).href;
export const child = () => new URL('../../child/dist/main.js', import.meta.url).pathname;
`;
const MAIN = `
import { beside, child, folder, place } from '../../library/dist/index.js';
import { name } from 'some-package';
console.log(JSON.stringify({ beside: beside(), place: place(), folder: folder(), child: child(), name, first: globalThis.first }));
`;

describe('programs as one file each', () => {
  let root: string;
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const compiled = (path: string, text: string): void => {
    put(path, text);
    // Each line comes from the same line.
    const mappings = `AAAA${';AACA'.repeat(text.split('\n').length - 1)}`;
    put(`${path}.map`, JSON.stringify({ version: 3, sources: ['../src/index.ts'], names: [], mappings }));
  };
  const programs = (): Programs => ({
    root,
    out: join(root, 'dist'),
    mains: { shop: 'shop/dist/main.js', child: 'child/dist/main.js' },
    alsoFrom: ['lockfile'],
    outside: /^first$/,
    first: 'first',
  });
  const run = (name: string): Record<string, unknown> => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist', `${name}.js`)], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'heddle-bundle-'));
    put('package.json', '{"type":"module"}');
    put('lockfile', '1');
    put('library/words.txt', 'found');
    compiled('library/dist/index.js', LIBRARY);
    compiled('shop/dist/main.js', MAIN);
    compiled('child/dist/main.js', "console.log('{}');");
    put('node_modules/some-package/package.json', '{"name":"some-package","type":"module","main":"index.js"}');
    put('node_modules/some-package/index.js', "export const name = globalThis.first + ' package';");
    put('node_modules/first/package.json', '{"name":"first","main":"index.js"}');
    put('node_modules/first/index.js', "globalThis.first = 'after the first';");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('find what lies beside their libraries, and the bundled form of what they start', async () => {
    expect(await bundlePrograms(programs())).toBe(true);
    rmSync(join(root, 'node_modules/some-package'), { recursive: true });
    expect(run('shop')).toEqual({
      beside: 'found',
      place: `file://${root}/library/dist/index.js`,
      folder: `file://${root}/library/`,
      child: join(root, 'dist/child.js'),
      name: 'after the first package',
      first: 'after the first',
    });
    expect(run('child')).toEqual({});
  });

  it('name the lines of our sources, and none of packages', async () => {
    await bundlePrograms(programs());
    const map = JSON.parse(readFileSync(join(root, 'dist/shop.js.map'), 'utf8')) as { sources: string[] };
    expect(map.sources).toContain('../library/src/index.ts');
    expect(map.sources.filter((path) => path.includes('node_modules'))).toEqual([]);
  });

  it.each([
    ['a compiled file', () => compiled('library/dist/index.js', LIBRARY.replace('words', 'other-words'))],
    ['the lockfile', () => put('lockfile', '2')],
    ['the time of a compiled file', () => utimesSync(join(root, 'child/dist/main.js'), 1, 1)],
    ['a run that was cut off', () => rmSync(join(root, 'dist/bundled.json'))],
    ['the loss of a program', () => rmSync(join(root, 'dist/shop.js'))],
  ])('are made again after %s, and not without a reason', async (_, change) => {
    await bundlePrograms(programs());
    expect(await bundlePrograms(programs())).toBe(false);
    change();
    put('library/other-words.txt', 'found again');
    expect(await bundlePrograms(programs())).toBe(true);
    expect(await bundlePrograms(programs())).toBe(false);
    expect(run('shop')['beside']).toMatch(/^found/);
  });

  it('are not made where a package is missing', async () => {
    rmSync(join(root, 'node_modules/some-package'), { recursive: true });
    await expect(bundlePrograms(programs())).rejects.toThrow(/some-package/);
    expect(await bundlePrograms(programs()).catch(() => 'again')).toBe('again');
  });

  it('keep the parts of earlier ones for a day, for services that run', async () => {
    put('dist/part-of-today.js', '');
    put('dist/part-of-old.js', '');
    const old = Date.now() / 1000 - 100_000;
    utimesSync(join(root, 'dist/part-of-old.js'), old, old);
    await bundlePrograms(programs());
    expect(readdirSync(join(root, 'dist')).sort()).toEqual([
      'bundled.json',
      'child.js',
      'child.js.map',
      'part-of-today.js',
      'shop.js',
      'shop.js.map',
    ]);
  });
});
