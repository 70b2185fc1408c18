import { describe, expect, it } from 'vitest';
import { PACKAGE_BOUNDS, type PackageBounds } from './archive-bounds.js';
import { tarGzOf, withFile, zipOf } from './archives.fixture.js';
import { type HandMadeEntry, handMadeZip } from './hand-made-zip.fixture.js';
import { readPackageFiles } from './read-package-files.js';

const read = (bytes: Buffer, bounds?: Partial<PackageBounds>) =>
  withFile(bytes, (path) => readPackageFiles(path, { ...PACKAGE_BOUNDS, ...bounds }));

const FILES = {
  'pack-main/__init__.py': 'x = 1\n',
  'pack-main/nodes/A.PY': 'y = 2\n',
  'pack-main/pyproject.toml': '[project]\n',
  'pack-main/node_list.json': '{}',
  'pack-main/nodes/pyproject.toml': 'not of the root',
  'pack-main/model.bin': 'z',
};

describe('the files of a package', () => {
  it.each([
    ['zip', () => zipOf(FILES)],
    ['tar.gz', () => tarGzOf(Object.entries(FILES).map(([name, data]) => ({ name: `./${name}`, data })))],
  ])('of a %s are its Python files and two of its root, without the top folder', async (_, make) => {
    expect(await read(await make())).toEqual({
      texts: new Map([
        ['__init__.py', 'x = 1\n'],
        ['nodes/A.PY', 'y = 2\n'],
        ['pyproject.toml', '[project]\n'],
        ['node_list.json', '{}'],
      ]),
      paths: Object.keys(FILES),
      top: 'pack-main/',
      damage: [],
    });
  });

  it('keep their paths where there is no single top folder', async () => {
    const { texts, top } = await read(await zipOf({ 'a/x.py': '', 'b/y.py': '', 'a/pyproject.toml': '' }));
    expect([...texts.keys()]).toEqual(['a/x.py', 'b/y.py']);
    expect(top).toBeUndefined();
  });

  it('are UTF-8 without a byte order mark, or Latin-1', async () => {
    const { texts } = await read(
      await zipOf({
        'a.py': Buffer.from('\ufeffé\0b'),
        'b.py': Buffer.from('é', 'latin1'),
        'c.py': 'x'.repeat(100_000),
      }),
    );
    expect(texts.get('a.py')).toBe('é\0b');
    expect(texts.get('b.py')).toBe('é');
    expect(texts.get('c.py')).toHaveLength(100_000);
  });

  it('are read to the bounds, and no further', async () => {
    const files = { 'a.py': '12345', 'b.py': '123456', 'c.py': '1', 'd.py': '1', 'pyproject.toml': '1', 'e.py': '1' };
    const large = await read(await zipOf(files), { fileBytes: 5 });
    expect(large).toMatchObject({ unread: ['b.py'], cut: expect.stringContaining('the first of them "b.py"') });
    const many = await read(await zipOf(files), { files: 4 });
    expect(many).toMatchObject({ unread: ['e.py'] });
    expect(many.texts.get('pyproject.toml')).toBe('1');
    const total = await read(await tarGzOf(Object.entries(files).map(([name, data]) => ({ name, data }))), {
      totalBytes: 11,
    });
    expect(total.unread).toEqual(['c.py', 'd.py', 'pyproject.toml', 'e.py']);
    expect((await read(await zipOf(files), { fileBytes: 6, files: 5, totalBytes: 15 })).unread).toBeUndefined();
  });

  const LIES: [string, Partial<HandMadeEntry>, string][] = [
    ['a size that is too small', { size: 3 }, 'unpacks to more than the 3 bytes that it declares.'],
    ['a size that is too large', { size: 9 }, 'unpacks to 6 bytes, but declares 9.'],
    ['a wrong checksum', { crc32: 1 }, 'has another checksum than it declares.'],
    ['a wrong checksum of stored bytes', { crc32: 1, method: 0 }, 'has another checksum than it declares.'],
  ];
  it.each(LIES)('that have %s are damage, in other files too', async (_, lie, problem) => {
    for (const name of ['b.py', 'b.bin']) {
      const entry: HandMadeEntry = { name, ...lie };
      const { texts, damage } = await read(handMadeZip([{ name: 'a.py' }, entry, { name: 'c.py' }]));
      expect([...texts.keys()]).toEqual(['a.py', 'c.py']);
      expect(damage).toEqual([{ path: name, problem: `The entry "${name}" ${problem} Pack the package again.` }]);
    }
  });

  it('that cannot be inflated, or are cut short, are damage', async () => {
    const entry = (data: string | Buffer): HandMadeEntry => ({ name: 'a.py', data, method: 0 });
    for (const data of ['\xff\xff\xff', Buffer.alloc(100_000, 0xff)]) {
      const bytes = handMadeZip([entry(data)]);
      // The method of the local header and of the record.
      bytes.writeUInt16LE(8, 8);
      bytes.writeUInt16LE(8, bytes.length - 22 - 50 + 10);
      const { damage } = await read(bytes);
      expect(damage).toEqual([
        { path: 'a.py', problem: 'The entry "a.py" cannot be unpacked: its data are damaged. Pack the package again.' },
      ]);
    }
  });

  it('that unpack to far more than they declare are not unpacked', async () => {
    const data = Buffer.alloc(96 * 1024 * 1024);
    const bytes = handMadeZip([{ name: 'a.bin', data, size: 1_000_000 }]);
    const before = process.memoryUsage().rss;
    const { damage } = await read(bytes);
    expect(damage).toEqual([
      { path: 'a.bin', problem: expect.stringContaining('unpacks to more than the 1000000 bytes') },
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
  });

  it('of bytes that are no archive are damage', async () => {
    expect(await read(Buffer.from('text'))).toMatchObject({ damage: [{ path: '', problem: expect.any(String) }] });
  });
});
