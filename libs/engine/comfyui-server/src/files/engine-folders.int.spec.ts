import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedFolders, isSafeRelative } from './engine-folders.js';
import { UploadStore } from './store-upload.js';

let directory: string;
let folders: ServedFolders;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-folders-'));
  folders = await ServedFolders.at(directory);
  await mkdir(join(directory, 'elsewhere'));
  await writeFile(join(directory, 'elsewhere', 'secret.png'), 'secret');
  await symlink(join(directory, 'elsewhere'), join(directory, 'input', 'way-out'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('a file of a folder', () => {
  it.each([
    ['', 'a.png'],
    ['deep/er', 'a.png'],
    ['', '..a.png'],
    ['here/..', 'a.png'],
  ])('is found below it: %s %s', async (subfolder, name) => {
    expect(await folders.locate('input', subfolder, name)).toMatch(/input\/.*a\.png$/);
  });

  it.each([
    ['..', 'a.png'],
    ['../input-of-another', 'a.png'],
    ['/etc', 'hostname'],
    ['', '/etc/hostname'],
    ['', '../../a.png'],
    ['', '..'],
    ['', '.'],
    ['', ''],
    ['', 'a\0.png'],
    ['way-out', 'secret.png'],
    ['way-out/deeper', 'a.png'],
  ])('is nowhere outside of it: %j %j', async (subfolder, name) => {
    expect(await folders.locate('input', subfolder, name)).toBeNull();
  });

  it('is judged by its name alone if nothing is looked up', () => {
    expect(['a.png', 'b/a.png'].map(isSafeRelative)).toEqual([true, true]);
    expect(['', '..', '../a', '/a', 'a/../../b', 'a\0'].map(isSafeRelative)).not.toContain(true);
  });
});

describe('an upload', () => {
  const upload = (name: string, text: string, overwrite = false) =>
    new UploadStore(folders).store({ name, type: 'input', subfolder: 'up', overwrite, bytes: Buffer.from(text) });

  it('keeps equal bytes once, and gives others the next name', async () => {
    expect(await upload('a.png', 'one')).toEqual({ name: 'a.png', subfolder: 'up', type: 'input' });
    expect(await upload('a.png', 'one')).toMatchObject({ name: 'a.png' });
    expect(await upload('a.png', 'two')).toMatchObject({ name: 'a (1).png' });
    expect(await upload('a.png', 'three')).toMatchObject({ name: 'a (2).png' });
    expect(await upload('a.png', 'two')).toMatchObject({ name: 'a (1).png' });
    expect(await upload('a.png', 'four', true)).toMatchObject({ name: 'a.png' });
    expect(await upload('a.png', 'four')).toMatchObject({ name: 'a.png' });
  });

  it('sees the one that came at the same moment', async () => {
    const store = new UploadStore(folders);
    const all = ['x', 'y', 'z'].map((text) =>
      store.store({ name: 'b.png', type: 'input', subfolder: '', overwrite: false, bytes: Buffer.from(text) }),
    );
    expect((await Promise.all(all)).map((stored) => stored?.name)).toEqual(['b.png', 'b (1).png', 'b (2).png']);
  });

  it('never leaves its folder', async () => {
    expect(await upload('../../a.png', 'x')).toBeNull();
    const store = new UploadStore(folders);
    const out = { name: 'secret.png', type: 'input', subfolder: 'way-out', overwrite: true } as const;
    expect(await store.store({ ...out, bytes: Buffer.from('x') })).toBeNull();
  });
});
