import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import tar from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { unpackArchive } from './unpack-archive.js';

const FILES = { '__init__.py': 'X = 1\n', 'deep/er/größe.py': 'y'.repeat(200_000), 'empty.txt': '' };

describe('an archive', () => {
  let folder: string;
  let archive: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-unpack-'));
    archive = join(folder, 'archive');
  });
  afterEach(async () => await rm(folder, { recursive: true }));

  const zipped = async (files: Readonly<Record<string, string>>): Promise<void> => {
    const zip = new ZipFile();
    zip.addEmptyDirectory('nothing/');
    for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path, { mode: 0o100755 });
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(archive));
  };
  const tarred = async (entries: readonly { name: string; text?: string; linkname?: string }[]): Promise<void> => {
    const pack = tar.pack();
    for (const { name, text, linkname } of entries)
      pack.entry(linkname === undefined ? { name, mode: 0o755 } : { name, type: 'symlink', linkname }, text ?? '');
    pack.finalize();
    await pipeline(pack, createGzip(), createWriteStream(archive));
  };

  const assertUnpacked = async (): Promise<void> => {
    const into = join(folder, 'package');
    expect(await unpackArchive(archive, into)).toEqual({ accepted: true, files: 3 });
    for (const [path, text] of Object.entries(FILES)) expect(await readFile(join(into, path), 'utf8')).toBe(text);
    expect((await stat(join(into, '__init__.py'))).mode & 0o111).toBe(0);
  };

  it('of zip becomes its files, which nothing can run', async () => {
    await zipped(FILES);
    await assertUnpacked();
    expect(await readdir(join(folder, 'package/nothing'))).toEqual([]);
  });

  it('of gzipped tar becomes its files', async () => {
    await tarred(Object.entries(FILES).map(([name, text]) => ({ name, text })));
    await assertUnpacked();
  });

  it.each([
    [{ name: '../outside.py', text: 'x' }],
    [{ name: '/tmp/outside.py', text: 'x' }],
    [{ name: 'link', linkname: '/etc' }],
  ])('with the entry %j makes nothing at all', async (entry) => {
    await tarred([{ name: 'a.py', text: '' }, entry]);
    expect(await unpackArchive(archive, join(folder, 'package'))).toMatchObject({ accepted: false });
    expect(await readdir(folder)).toEqual(['archive']);
  });

  it('is written while it is unpacked: a large entry is never whole in memory', async () => {
    const name = 'large.bin';
    const content = Array.from({ length: 300_000 }, (_, at) => at).join();
    await zipped({ [name]: content });
    // The directory's checksum, and the header's, which must agree with it.
    const bytes = await readFile(archive);
    const checksum = bytes.subarray(bytes.lastIndexOf('PK\x01\x02'), bytes.length).subarray(16, 20);
    const wrong = Buffer.from(checksum);
    wrong[0]! ^= 1;
    for (let at = bytes.indexOf(checksum); at >= 0; at = bytes.indexOf(checksum, at + 4)) wrong.copy(bytes, at);
    await writeFile(archive, bytes);
    expect(await unpackArchive(archive, join(folder, 'package'))).toEqual({
      accepted: false,
      problem: `The entry "${name}" has another checksum than it declares.`,
    });
    // It had been written before its end was read.
    expect((await stat(join(folder, 'package', name))).size).toBe(content.length);
  });

  it('never goes into a folder that exists', async () => {
    await zipped(FILES);
    await expect(unpackArchive(archive, folder)).rejects.toThrow('EEXIST');
  });
});
