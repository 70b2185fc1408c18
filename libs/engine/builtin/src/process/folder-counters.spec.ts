import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderCounters } from './folder-counters.js';
import { describeResultCounters } from './result-counters.suite.js';

async function write(folder: string, subfolder: string, name: string): Promise<void> {
  await mkdir(join(folder, subfolder), { recursive: true });
  await writeFile(join(folder, subfolder, name), '');
}

describeResultCounters('the numbers that lie in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-counters-'));
  return {
    counters: new FolderCounters(folder),
    write: (subfolder, name) => write(folder, subfolder, name),
    end: () => rm(folder, { recursive: true }),
  };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-counters-'));
});
afterEach(() => rm(folder, { recursive: true }));

it.each([
  ['a_00041_.png', 42],
  ['a_00041.png', 42],
  ['a_7', 8],
  ['a_00041_extra_00099_.png', 42],
  ['a_x_.png', 1],
  ['b_00041_.png', 1],
  ['00041_.png', 1],
])('the numbers in a folder with %s go on with %d', async (name, next) => {
  await write(folder, '', name);
  expect(await new FolderCounters(folder).take({ account: '', subfolder: '', base: 'a', count: 1 })).toBe(next);
});
