import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeFileSource } from './file-source.suite.js';
import { GivenFiles } from './given-files.js';

describeFileSource('the files that are given with a run', async (files) => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-given-'));
  const paths = new Map(Object.keys(files).map((name, at) => [name, join(folder, String(at))]));
  for (const [name, path] of paths) await writeFile(path, files[name]!);
  await writeFile(join(folder, 'outside.txt'), 'outside');
  return {
    source: new GivenFiles([...paths.keys()], async (name) => await Promise.resolve(paths.get(name)!)),
    end: () => rm(folder, { recursive: true }),
  };
});

it('the files that are given with a run are fetched when they are read, not when they are found', async () => {
  const fetched: string[] = [];
  const source = new GivenFiles(['a.png'], async (name) => await Promise.resolve((fetched.push(name), name)));
  const found = await source.find('a.png [input]');
  expect(fetched).toEqual([]);
  await found!.path();
  expect(fetched).toEqual(['a.png']);
});
