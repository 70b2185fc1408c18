import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ARCHIVE_BOUNDS, type ArchiveBounds } from './archive-bounds.js';
import { type TarFile, tarGzOf, tarOf, withFile, zipOf } from './archives.fixture.js';
import { type HandMadeEntry, handMadeZip } from './hand-made-zip.fixture.js';
import { type ArchiveVerdict, judgeArchive } from './judge-archive.js';

const judge = (bytes: Buffer, bounds?: Partial<ArchiveBounds>): Promise<ArchiveVerdict> =>
  withFile(bytes, (path) => judgeArchive(path, { ...ARCHIVE_BOUNDS, ...bounds }));

async function problemOf(bytes: Buffer, bounds?: Partial<ArchiveBounds>): Promise<string> {
  const verdict = await judge(bytes, bounds);
  return verdict.accepted ? 'accepted' : verdict.problem;
}

const PLAIN: HandMadeEntry = { name: 'a.py' };

describe('an archive is accepted', () => {
  it('as a zip and as a gzipped tar, with its entries and unpacked bytes', async () => {
    const files = { 'pack/__init__.py': 'x = 1\n', 'pack/ünï.png': Buffer.alloc(5000, 'ab') };
    const zip = await judge(await zipOf(files));
    expect(zip).toEqual({ accepted: true, format: 'zip', entries: 2, unpackedBytes: 5006 });
    const tar = await tarGzOf([
      { name: 'pack/', type: 'directory' },
      ...Object.entries(files).map(([name, data]) => ({ name, data })),
    ]);
    expect(await judge(tar)).toEqual({ accepted: true, format: 'tar.gz', entries: 3, unpackedBytes: 5006 });
  });

  it('if it is made by hand, with descriptors, stored, with folders, and as `tar czf x.tgz .` spells names', async () => {
    const zeros = { size: 0, packedSize: 0, crc32: 0, flags: 0x0808 };
    const entries = [
      PLAIN,
      { name: 'd/', data: '', method: 0, mode: 0o40755 },
      { name: 'd/b.py', method: 0 },
      { name: 'c.py', flags: 0x0808, local: zeros },
      { name: Buffer.from('caf\xe9.py', 'latin1'), flags: 0 },
    ];
    expect(await problemOf(handMadeZip(entries))).toBe('accepted');
    expect(await problemOf(await tarGzOf([{ name: './', type: 'directory' }, { name: './a.py' }]))).toBe('accepted');
  });

  it('with long names in a tar, and with a nested zip, which is a file like any other', async () => {
    const name = `${'long/'.repeat(28)}${'n'.repeat(200)}.py`;
    expect(await problemOf(await tarGzOf([{ name, data: 'x' }]))).toBe('accepted');
    expect(await problemOf(await zipOf({ 'a.zip': handMadeZip([{ name: '../x' }]) }))).toBe('accepted');
  });
});

describe('an archive is refused, with the entry and what is wrong,', () => {
  const BAD_NAMES: [string, string][] = [
    ['../a.py', 'leads out of its folder by ".."'],
    ['a/../../b.py', 'leads out of its folder by ".."'],
    ['/etc/a.py', 'has an absolute path'],
    ['C:/a.py', 'begins with the letter of a drive'],
    ['a\\b.py', 'has a backslash in its name'],
    ['a\nb.py', 'control character'],
    ['a\u0085b.py', 'control character'],
    [`${'d/'.repeat(32)}a.py`, 'has 33 parts in its path. At most 32 are allowed.'],
  ];
  it.each(BAD_NAMES)('by the name %j', async (name, problem) => {
    expect(await problemOf(handMadeZip([PLAIN, { name }]))).toContain(problem);
    expect(await problemOf(await tarGzOf([{ name: 'a.py' }, { name }]))).toContain(problem);
  });

  it('by a NUL in a name, which a tar cannot have', async () => {
    expect(await problemOf(handMadeZip([{ name: 'a.py\0.txt' }]))).toBe(
      'The entry "a.py\\u{0}.txt" has a NUL or another control character in its name. Names must be printable text.',
    );
  });

  it.each([
    ['a.PY', 'A.py'],
    ['a.py', 'a.py'],
    ['./a.py', 'a.py'],
    ['d//a.py', 'd/a.py'],
    ['é.py', 'e\u0301.py'],
  ])('by the names %j and %j', async (first, second) => {
    const problem = 'Names must be unique without regard to case.';
    expect(await problemOf(handMadeZip([{ name: first }, { name: second }]))).toContain(problem);
    expect(await problemOf(await tarGzOf([{ name: first }, { name: second }]))).toContain(problem);
  });

  it.each([`${'a'.repeat(256)}.py`, `${`${'a'.repeat(200)}/`.repeat(21)}b.py`])('by the name %.20s…', async (name) => {
    expect(await problemOf(await tarGzOf([{ name, data: '' }]))).toContain('has a name that no file system takes');
  });

  it.each([
    ['straße.py', 'STRASSE.py'],
    ['ﬁle.py', 'FILE.py'],
    ['ẞ.py', 'ß.py'],
  ])('by the names %j and %j, which differ in case alone', async (one, other) => {
    expect(await problemOf(handMadeZip([{ name: one }, { name: other }]))).toContain(
      'has the name of an earlier entry',
    );
  });

  it('by zeros behind the end of a tar, soon', async () => {
    const zeros = gzipSync(Buffer.alloc(1024 * 1024));
    const start = process.cpuUsage();
    const tar = gzipSync(await tarOf([{ name: 'a.py', data: 'x = 1' }]));
    expect(await problemOf(Buffer.concat([tar, ...Array.from({ length: 400 }, () => zeros)]))).toContain(
      'zeros after its end mark',
    );
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it('by more extended headers than its entries can need, soon', async () => {
    const [header] = [(await tarOf([{ name: 'a', pax: { comment: 'x' }, data: '' }])).subarray(0, 1_024)];
    const tar = gzipSync(Buffer.concat([...Array<Buffer>(31_000).fill(header!), Buffer.alloc(1_024)]), { level: 1 });
    expect(await problemOf(tar)).toMatch(/more than 30000 extended headers|more than 1000 records/);
  });

  it('by a file that is a folder of another one', async () => {
    expect(await problemOf(handMadeZip([{ name: 'A/b.py' }, { name: 'a' }]))).toBe(
      'The entry "A/b.py" lies in "a", which is a file. A path must be a file or a folder.',
    );
  });

  it.each([
    [0o120777, 'is a link'],
    [0o060644, 'is a device, pipe or socket'],
    [0o010644, 'is a device, pipe or socket'],
    [0o140644, 'is a device, pipe or socket'],
    [0o040755, 'is of a kind that is not supported'],
  ])('by the mode %i in a zip', async (mode, problem) => {
    expect(await problemOf(handMadeZip([PLAIN, { name: 'b', mode }]))).toContain(`The entry "b" ${problem}`);
  });

  it.each<[TarFile['type'], string]>([
    ['symlink', 'is a link'],
    ['link', 'is a link'],
    ['character-device', 'is a device'],
    ['block-device', 'is a device'],
    ['fifo', 'is a device'],
    ['contiguous-file', 'is of a kind that is not supported'],
  ])('by the type %s in a tar', async (type, problem) => {
    const bytes = await tarGzOf([{ name: 'a.py' }, { name: 'b', type, linkname: 'a.py' }]);
    expect(await problemOf(bytes)).toContain(`The entry "b" ${problem}`);
  });

  it.each([0x0001, 0x0041, 0x2000])('by the flag of encryption %i', async (flag) => {
    const problem = 'The entry "b.py" is encrypted. Pack the package without a password.';
    expect(await problemOf(handMadeZip([PLAIN, { name: 'b.py', flags: 0x0800 | flag }]))).toBe(problem);
  });

  it('by another method, a folder with content, and a stored file of two sizes', async () => {
    expect(await problemOf(handMadeZip([{ ...PLAIN, method: 14 }]))).toContain('"a.py" is packed by method 14');
    expect(await problemOf(handMadeZip([PLAIN, { name: 'd/' }]))).toContain('is a folder with 6 bytes');
    expect(await problemOf(handMadeZip([{ ...PLAIN, method: 0, size: 7 }]))).toContain('Both must be equal');
  });

  const LOCAL: [HandMadeEntry['local'], string][] = [
    [{ name: 'b.py' }, 'its name'],
    [{ size: 7 }, 'its sizes'],
    [{ packedSize: 7 }, 'its sizes'],
    [{ crc32: 7 }, 'its checksum'],
    [{ method: 0 }, 'its method'],
    [{ flags: 0 }, 'its flags'],
    [{ flags: 0x0808, size: 7 }, 'its sizes'],
  ];
  it.each(LOCAL)('by the local header %j', async (local, what) => {
    expect(await problemOf(handMadeZip([{ ...PLAIN, local }]))).toBe(
      `The entry "a.py" has a local header that differs from the directory in ${what}. Both must agree.`,
    );
  });

  it('by places that are wrong: outside, in another entry, and an entry that the directory does not name', async () => {
    expect(await problemOf(handMadeZip([{ ...PLAIN, offset: 3 }]))).toContain('in its place');
    expect(await problemOf(handMadeZip([{ ...PLAIN, offset: 0xfffffff0 }]))).toContain('in its place');
    const inside = handMadeZip([
      { ...PLAIN, data: handMadeZip([{ name: 'b.py' }]), method: 0 },
      { name: 'b.py', offset: 34 },
    ]);
    expect(await problemOf(inside)).toContain('The entry "b.py" overlaps another one');
    const bytes = handMadeZip([{ ...PLAIN, unlisted: true }, { name: 'b.py' }]);
    expect(await problemOf(bytes)).toContain('an entry before "b.py" that its directory does not name');
  });

  it('by zip64 records that contradict, or lack what they must have', async () => {
    expect(await problemOf(handMadeZip([{ ...PLAIN, size: 0xffffffff }]))).toContain('lacks a size in its zip64 field');
    expect(await problemOf(handMadeZip([{ ...PLAIN, extra: Buffer.from([1, 0, 99, 0]) }]))).toContain('extra field');
    const huge = Buffer.from([1, 0, 8, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
    expect(await problemOf(handMadeZip([{ ...PLAIN, size: 0xffffffff, extra: huge }]))).toMatch(/at most 200 times/);
    expect(await problemOf(handMadeZip([{ ...PLAIN, offset: 0xffffffff, extra: huge }]))).toContain('its place');
    const zip = handMadeZip([PLAIN]);
    const locator = Buffer.alloc(20, 0xff);
    locator.writeUInt32LE(0x07064b50);
    const with64 = Buffer.concat([zip.subarray(0, -22), Buffer.alloc(56), locator, zip.subarray(-22)]);
    expect(await problemOf(with64)).toContain('zip64 record is not at its end');
    locator.writeBigUInt64LE(BigInt(zip.length - 22), 4 + 4);
    const damaged = Buffer.concat([zip.subarray(0, -22), Buffer.alloc(56), locator, zip.subarray(-22)]);
    expect(await problemOf(damaged)).toContain('zip64 record is damaged');
  });

  it('by a name of its own in an extra field', async () => {
    const field = Buffer.concat([Buffer.from([0x75, 0x70, 10, 0, 1, 0, 0, 0, 0]), Buffer.from('b.py!')]);
    field.writeUInt32LE(crc32('a.py'), 5);
    expect(await problemOf(handMadeZip([{ ...PLAIN, extra: field }]))).toContain('"a.py" is also named "b.py!"');
  });

  it('by an end that does not match: count, place, size, disk, bytes behind it', async () => {
    const entries = [PLAIN, { name: 'b.py' }];
    expect(await problemOf(handMadeZip(entries, { count: 1 }))).toContain('does not have the entries');
    expect(await problemOf(handMadeZip(entries, { count: 3 }))).toContain('does not have the entries');
    expect(await problemOf(handMadeZip(entries, { start: 1 }))).toContain('not where the record at its end says');
    expect(await problemOf(handMadeZip(entries, { bytes: 1 }))).toContain('not where the record at its end says');
    expect(await problemOf(handMadeZip(entries, { disk: 1 }))).toContain('split archive');
    expect(await problemOf(Buffer.concat([handMadeZip(entries), Buffer.from('x')]))).toContain('its length');
  });

  it('if it is no archive, empty, or without a file', async () => {
    expect(await problemOf(Buffer.from('just text'))).toBe(
      'The file is neither a zip nor a gzipped tar. Upload one of them.',
    );
    expect(await problemOf(Buffer.alloc(0))).toContain('is empty');
    expect(await problemOf(Buffer.from('P'))).toContain('neither');
    const none = 'The archive has no file in it. It must contain the files of the package.';
    expect(await problemOf(handMadeZip([]))).toBe(none);
    expect(await problemOf(handMadeZip([{ name: 'd/', data: '', method: 0, mode: 0o40755 }]))).toBe(none);
    expect(await problemOf(gzipSync(Buffer.alloc(1024)))).toBe(none);
    expect(await problemOf(gzipSync('text'.repeat(1000)))).toContain('is not a tar');
  });

  it('if a tar has a sparse file, a global path, bytes behind its end, or a size that is no number', async () => {
    expect(await problemOf(await tarGzOf([{ name: 'a', pax: { 'GNU.sparse.major': '1' } }]))).toContain('sparse file');
    expect(await problemOf(await tarGzOf([{ name: 'a', pax: { size: '-1' } }]))).toContain('not a number');
    const tar = await tarOf([{ name: 'a.py' }]);
    expect(await problemOf(gzipSync(Buffer.concat([tar, tar])))).toContain('bytes after its end mark');
    const packed = gzipSync(tar);
    const zip = await zipOf({ 'other.py': 'x' });
    for (const behind of [zip, packed, Buffer.from('x')]) {
      for (const padding of [1, 512, 200_000]) {
        const problem = await problemOf(Buffer.concat([packed, Buffer.alloc(padding), behind]));
        expect(problem).toBe('The archive has bytes after its end. Upload the gzipped tar alone.');
      }
    }
    const global = await tarOf([{ name: 'g', data: '18 path=../evil.p\n' }, { name: 'a.py' }]);
    global[156] = 0x67;
    global.write(octalSum(global.subarray(0, 512)), 148, 'latin1');
    expect(await problemOf(gzipSync(global))).toContain('global header with "path"');
  });
});

function octalSum(header: Buffer): string {
  header.fill(' ', 148, 156);
  return `${header
    .reduce((sum, byte) => sum + byte, 0)
    .toString(8)
    .padStart(6, '0')}\0 `;
}

describe('the bounds of an archive hold at the limit and one above it:', () => {
  const files = (count: number, data = 'x'): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.py`, data]));
  const entries = (count: number): HandMadeEntry[] =>
    Object.entries(files(count)).map(([name, data]) => ({ name, data, method: 0 }));
  const tarFiles = (count: number, data = 'x'): TarFile[] =>
    Object.entries(files(count, data)).map(([name, content]) => ({ name, data: content }));

  it('10,000 entries of a zip', async () => {
    expect(await judge(handMadeZip(entries(10_000)))).toMatchObject({ accepted: true, entries: 10_000 });
    expect(await problemOf(handMadeZip(entries(10_001)))).toContain(
      'The archive has more than 10000 entries; "f10000.py" is one too many.',
    );
  });

  it('entries of a tar', async () => {
    expect(await judge(await tarGzOf(tarFiles(20)), { entries: 20 })).toMatchObject({ accepted: true, entries: 20 });
    expect(await problemOf(await tarGzOf(tarFiles(21)), { entries: 20 })).toContain('more than 20 entries');
  });

  it('32 parts of a path', async () => {
    expect(await problemOf(handMadeZip([{ name: `${'d/'.repeat(31)}a.py` }]))).toBe('accepted');
  });

  it('512 MiB as declared by a zip', async () => {
    const declaring = (size: number): HandMadeEntry[] =>
      ['a', 'b', 'c', 'd'].map((name) => ({
        name,
        data: Buffer.alloc(700_000, name),
        method: 0,
        flags: 0x0800,
        ...declared(size),
      }));
    const declared = (size: number): Partial<HandMadeEntry> => ({ method: 8, size, local: { size } });
    const packed = { ratio: 1e9 };
    expect(await problemOf(handMadeZip(declaring(128 * 1024 * 1024)), packed)).toBe('accepted');
    const above = [...declaring(128 * 1024 * 1024), { name: 'e', data: 'x' }];
    expect(await problemOf(handMadeZip(above), packed)).toContain('"e" passes the limit');
  });

  it('unpacked bytes of a tar', async () => {
    expect(await problemOf(await tarGzOf(tarFiles(10)), { unpackedBytes: 10 })).toBe('accepted');
    expect(await problemOf(await tarGzOf(tarFiles(11)), { unpackedBytes: 10 })).toContain('"f10.py" passes the limit');
  });

  it('200:1 of an entry above 1 MiB', async () => {
    const packedSize = 6000;
    const entry = (size: number): HandMadeEntry => ({ name: 'a', data: 'y'.repeat(packedSize), ...at(size) });
    const at = (size: number): Partial<HandMadeEntry> => ({ method: 8, size, local: { size } });
    const zip = (size: number): Buffer =>
      handMadeZip([entry(size), { name: 'b', data: Buffer.alloc(9000, 1), method: 0 }]);
    const real = packedLength(zip(1));
    const MIB = 1024 * 1024;
    expect(await problemOf(zip(MIB))).toBe('accepted');
    expect(await problemOf(zip(MIB + 1))).toContain(`declares ${MIB + 1} bytes, packed as ${real}`);
    expect(await problemOf(zip(200 * real), { ratioFromBytes: 10 })).toBe('accepted');
    expect(await problemOf(zip(200 * real + 1), { ratioFromBytes: 10 })).toContain('at most 200 times its packed size');
  });

  it('200:1 of the whole', async () => {
    const bytes = await zipOf({ a: Buffer.alloc(1000), b: Buffer.alloc(1000), c: Buffer.alloc(1000) });
    const ratio = 3000 / bytes.length;
    expect(await problemOf(bytes, { ratioFromBytes: 1000, ratio })).toBe('accepted');
    expect(await problemOf(bytes, { ratioFromBytes: 1000, ratio: 2999 / bytes.length })).toContain(
      'An archive may unpack',
    );
  });
});

function packedLength(zip: Buffer): number {
  return zip.readUInt32LE(18);
}

describe('a bomb', () => {
  it('of 96 MiB in a tar is refused early, in little memory', async () => {
    const bomb = gzipSync(await tarOf([{ name: 'a', data: Buffer.alloc(96 * 1024 * 1024) }]), { level: 6 });
    const before = process.memoryUsage().rss;
    const start = performance.now();
    expect(await problemOf(bomb)).toContain('at most 200 times its own size');
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('a gzipped tar is accepted', () => {
  const empty = gzipSync('');
  const tar = async (name = 'b.py'): Promise<Buffer> => await tarOf([{ name: 'a.py' }, { name }]);
  it.each<[string, () => Promise<Buffer>]>([
    ['with empty parts before it', async () => Buffer.concat([empty, empty, gzipSync(await tar())])],
    ['with empty parts behind it', async () => Buffer.concat([gzipSync(await tar()), empty, empty])],
    ['with padding behind it', async () => Buffer.concat([gzipSync(await tar()), Buffer.alloc(200_000)])],
    ['with empty parts of a path', async () => gzipSync(await tar('d//b.py'))],
    ['with a dot in a path', async () => gzipSync(await tar('d/./b.py'))],
  ])('%s', async (_, make) => expect(await problemOf(await make())).toBe('accepted'));

  it.each(['d//b.py', 'd/./b.py', './d/b.py'])('but not with d/b.py beside %s', async (name) => {
    expect(await problemOf(await tarGzOf([{ name: 'd/b.py' }, { name }]))).toContain('the name of an earlier entry');
  });
});

describe('an archive that is cut anywhere is refused', () => {
  const files = {
    'a/x.py': 'x = 1\n'.repeat(40),
    'a/y.bin': Buffer.from(Array.from({ length: 900 }, (_, i) => (i * i) % 251)),
    'a/z.py': 'z',
  };
  it.each<[string, () => Promise<Buffer>]>([
    ['zip', () => zipOf(files)],
    ['tar.gz', () => tarGzOf(Object.entries(files).map(([name, data]) => ({ name, data })))],
    ['tar.gz of stored bytes', async () => gzipSync(await tarOf([{ name: 'a.py', data: 'x' }]), { level: 0 })],
    [
      'tar.gz of two parts',
      async () => {
        const tar = await tarOf([
          { name: 'a.py', data: 'x' },
          { name: 'b.py', data: 'y' },
        ]);
        return Buffer.concat([gzipSync(tar.subarray(0, 1024)), gzipSync(tar.subarray(1024))]);
      },
    ],
  ])('%s', async (_, make) => {
    const bytes = await make();
    expect(await problemOf(bytes)).toBe('accepted');
    const step = Math.max(1, Math.floor(bytes.length / 200));
    for (let length = 0; length < bytes.length; length += step) {
      expect(await problemOf(bytes.subarray(0, length)), `cut at ${length}`).not.toBe('accepted');
    }
  });
});

describe('an archive that nobody waits for any more', () => {
  it.each([
    ['zip', async () => await zipOf({ 'a.py': 'A = 1', 'b.py': '' })],
    ['gzipped tar', async () => await tarGzOf([{ name: 'a.py' }, { name: 'b.py' }])],
  ])('is judged no further: %s', async (_, made) => {
    const gone = new AbortController();
    await withFile(await made(), async (path) => {
      expect(await judgeArchive(path, ARCHIVE_BOUNDS, gone.signal)).toMatchObject({ accepted: true });
      const judging = judgeArchive(path, ARCHIVE_BOUNDS, gone.signal);
      gone.abort();
      await expect(judging).rejects.toThrow('aborted');
    });
  });
});
