import { readFile, rm, stat, utimes, chmod } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { judgeArchive } from '@heddle/registry-inspection';
import { afterEach, describe, expect, it } from 'vitest';
import { withPackedFiles } from './pack-package.js';
import { folderWith } from './package-folder.fixture.js';

const FILES = { '__init__.py': 'X = 1\n', 'deep/größe.py': 'y'.repeat(10_000), 'empty.txt': '' };

const folders: string[] = [];
async function packed(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const folder = await folderWith(files);
  folders.push(folder);
  const list = Object.keys(files).map((path) => ({ path, source: join(folder, path) }));
  const [first] = list;
  await utimes(first!.source, folders.length * 1_000, folders.length * 1_000);
  await chmod(first!.source, folders.length % 2 === 0 ? 0o755 : 0o644);
  return await withPackedFiles(list, async ({ path, sha256, sizeBytes }) => {
    const bytes = await readFile(path);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    expect(bytes.length).toBe(sizeBytes);
    expect(await judgeArchive(path)).toMatchObject({ accepted: true, format: 'zip' });
    return bytes;
  });
}

describe('the zip of a package', () => {
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  it('has equal bytes for equal files, whatever their times and modes and the zone of the clock', async () => {
    const zone = process.env['TZ'];
    try {
      process.env['TZ'] = 'Asia/Tokyo';
      const first = await packed(FILES);
      process.env['TZ'] = 'America/Los_Angeles';
      const second = await packed(FILES);
      expect(second.equals(first)).toBe(true);
      expect((await packed({ ...FILES, 'empty.txt': 'x' })).equals(first)).toBe(false);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('is removed after its use, and where a file cannot be read', async () => {
    let kept = '';
    const folder = await folderWith(FILES);
    folders.push(folder);
    const one = { path: 'a', source: join(folder, 'empty.txt') };
    await withPackedFiles([one], ({ path }) => Promise.resolve((kept = path)));
    await expect(stat(kept)).rejects.toThrow('ENOENT');
    const gone = { path: 'b', source: join(folder, 'gone') };
    await expect(withPackedFiles([one, gone], () => Promise.resolve())).rejects.toThrow('ENOENT');
  });
});
