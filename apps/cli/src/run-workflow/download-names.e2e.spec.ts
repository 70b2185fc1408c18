import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textGraph } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runHeddle } from '../heddle-process.fixture.js';

const TEXT = 'a lake at dusk';

let service: Standalone;
let asset: string;
/** The current folder of the CLI. */
let folder: string;
const heddle = (...words: string[]) => runHeddle(words, { HEDDLE_URL: service.url }, folder);
const found = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

beforeAll(async () => {
  service = await startStandalone();
  folder = await mkdtemp(join(tmpdir(), 'heddle-upload-'));
  await writeFile(join(folder, 'lake.txt'), TEXT);
  const [uploaded] = (await heddle('assets', 'upload', 'lake.txt', '--json')).lines();
  asset = String(uploaded?.['id']);
  await rm(folder, { recursive: true });
});

afterAll(async () => {
  await service.stop();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-names-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('heddle assets fetch', () => {
  it.each<[string, string[], string[], string]>([
    ['no --out', [], ['lake.txt'], 'lake.txt'],
    ['the current folder', ['--out', '.'], ['lake.txt'], 'lake.txt'],
    ['the current folder with a slash', ['--out', './'], ['lake.txt'], 'lake.txt'],
    ['an empty --out', ['--out', ''], ['lake.txt'], 'lake.txt'],
    ['a bare name that is replaced', ['--out', 'y.txt', '--overwrite'], ['y.txt'], 'y.txt'],
    ['a bare name', ['--out', 'y.txt'], ['y.txt'], 'y.txt'],
    ['a bare name of one letter', ['--out', 'y'], ['y'], 'y'],
    ['a hidden name', ['--out', '.y.txt'], ['.y.txt'], '.y.txt'],
    ['a name in the current folder', ['--out', './y.txt'], ['y.txt'], 'y.txt'],
    ['a new folder', ['--out', 'new/'], ['new', 'new/lake.txt'], 'new/lake.txt'],
    ['a name in a new folder', ['--out', 'a/b/y.txt'], ['a', 'a/b', 'a/b/y.txt'], 'a/b/y.txt'],
  ])('with %s writes the name as it is', async (_, options, names, written) => {
    const { code, out, err } = await heddle('assets', 'fetch', asset, ...options);
    expect({ code, err, found: await found() }).toEqual({ code: 0, err: '', found: names });
    expect(await readFile(join(folder, written), 'utf8')).toBe(TEXT);
    expect(out).toMatch(new RegExp(`^(\\./)?${written.replaceAll('.', '\\.')} \\(`));
  });

  it('writes the name as it is to an absolute path, a folder that is there, and the folder above', async () => {
    const here = folder;
    await mkdir(join(here, 'inner'));
    await heddle('assets', 'fetch', asset, '--out', join(here, 'absolute.txt'));
    await heddle('assets', 'fetch', asset, '--out', here);
    await heddle('assets', 'fetch', asset, '--out', 'inner');
    folder = join(here, 'inner');
    await heddle('assets', 'fetch', asset, '--out', '../above.txt');
    folder = here;
    expect(await found()).toEqual(['above.txt', 'absolute.txt', 'inner', 'inner/lake.txt', 'lake.txt']);
  });

  it('numbers the whole name when another file has it', async () => {
    await writeFile(join(folder, 'lake.txt'), 'precious');
    const [fetched] = (await heddle('assets', 'fetch', asset, '--json')).lines();
    expect(fetched).toMatchObject({ path: 'lake-2.txt', written: true });
    expect(await readFile(join(folder, 'lake.txt'), 'utf8')).toBe('precious');
    expect(await readFile(join(folder, 'lake-2.txt'), 'utf8')).toBe(TEXT);
  });
});

describe('heddle run', () => {
  it.each(['.', './', 'results', './results/', 'ABSOLUTE'])('--out %s writes the names of the outputs', async (out) => {
    await writeFile(join(folder, 'graph.json'), JSON.stringify(textGraph(TEXT)));
    const given = out === 'ABSOLUTE' ? folder : out;
    const { code, lines } = await heddle('run', 'graph.json', '--out', given, '--json');
    expect(code).toBe(0);
    const outputs = lines().filter(({ event }) => event === 'output');
    const names = outputs.map(({ name }) => String(name));
    expect(names).not.toEqual([]);
    const target = join(folder, out.includes('results') ? 'results' : '');
    expect((await readdir(target)).filter((name) => name !== 'graph.json').sort()).toEqual(names.sort());
  });
});
