import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeFileSource } from './file-source.suite.js';
import { FolderFiles } from './folder-files.js';

async function foldersBelow(root: string): Promise<{ input: string; output: string; temp: string }> {
  const folders = { input: join(root, 'input'), output: join(root, 'output'), temp: join(root, 'temp') };
  for (const folder of Object.values(folders)) await mkdir(folder);
  await writeFile(join(root, 'outside.txt'), 'outside');
  return folders;
}

describeFileSource('the files of the folders of an engine', async (files) => {
  const root = await mkdtemp(join(tmpdir(), 'heddle-folders-'));
  const folders = await foldersBelow(root);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folders.input, name)), { recursive: true });
    await writeFile(join(folders.input, name), content);
  }
  return { source: new FolderFiles(folders), end: () => rm(root, { recursive: true }) };
});

describe('the folders of an engine', () => {
  let root: string;
  let folders: Awaited<ReturnType<typeof foldersBelow>>;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'heddle-folders-'));
    folders = await foldersBelow(root);
  });
  afterAll(() => rm(root, { recursive: true }));

  const pathOf = async (name: string): Promise<string | undefined> =>
    await (await new FolderFiles(folders).find(name))?.path();

  it('are named by the end of the name', async () => {
    await writeFile(join(folders.output, 'a.png'), 'a');
    await writeFile(join(folders.temp, 'b.png'), 'b');
    expect(await pathOf('a.png [output]')).toBe(join(folders.output, 'a.png'));
    expect(await pathOf('b.png [temp]')).toBe(join(folders.temp, 'b.png'));
    for (const name of ['a.png', 'a.png [temp]', 'b.png [input]']) expect(await pathOf(name), name).toBeUndefined();
  });

  it('hold no file that a link leads out to', async () => {
    await symlink(join(root, 'outside.txt'), join(folders.input, 'link.txt'));
    await symlink(root, join(folders.input, 'up'));
    for (const name of ['link.txt', 'up/outside.txt']) expect(await pathOf(name), name).toBeUndefined();
  });

  it('give another key for other content of the same name', async () => {
    const files = new FolderFiles(folders);
    await writeFile(join(folders.input, 'c.png'), 'one');
    const before = (await files.find('c.png'))!.contentKey;
    await writeFile(join(folders.input, 'c.png'), 'another');
    expect((await files.find('c.png'))!.contentKey).not.toBe(before);
  });
});
