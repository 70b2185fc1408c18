import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelFolderOf, ModelFolders } from './model-folders.js';
import type { ModelFile } from './model-folders.js';

function safetensors(header: object | string, dataBytes: number): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Buffer.alloc(dataBytes, 1)]);
}

const TENSOR = { dtype: 'F16', shape: [2, 3], data_offsets: [0, 12] };
const GOOD = safetensors(
  { __metadata__: { format: 'pt' }, a: TENSOR, b: { dtype: 'U8', shape: [], data_offsets: [12, 13] } },
  13,
);

function file(bytes: Buffer, filePath = 'models/checkpoints/m.safetensors', piece = bytes.length): ModelFile {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += piece) pieces.push(bytes.subarray(at, at + piece));
  return { filePath, sizeBytes: bytes.length, open: async () => Readable.from(pieces, { objectMode: false }) };
}

describe('the entry of a model folder', () => {
  it('has a prefix below models and an absolute folder', () => {
    expect(modelFolderOf('models/checkpoints=/opt/engine')).toEqual(['models/checkpoints', '/opt/engine']);
  });

  it.each(['', 'models/checkpoints', 'models/checkpoints=here', 'checkpoints=/opt', 'models/a/b=/opt', 'models/=/opt'])(
    'is not %j',
    (entry) => expect(modelFolderOf(entry)).toBeNull(),
  );
});

describe('a model file', () => {
  let root: string;
  let folders: ModelFolders;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'heddle-models-'));
    folders = new ModelFolders(new Map([['models/checkpoints', root]]));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it.each([1, 7, 10_000])('is placed where its path says, whatever pieces of %i bytes it comes in', async (piece) => {
    expect(await folders.place(file(GOOD, 'models/checkpoints/sd/m.safetensors', piece))).toEqual({ kind: 'placed' });
    expect(await readFile(join(root, 'sd', 'm.safetensors'))).toEqual(GOOD);
    expect(await readdir(join(root, 'sd'))).toEqual(['m.safetensors']);
  });

  it('is present when it comes again, and never replaces another', async () => {
    await folders.place(file(GOOD));
    expect(await folders.place(file(GOOD))).toEqual({ kind: 'present' });
    const other = safetensors({ a: { ...TENSOR, shape: [6] } }, 12);
    expect(await folders.place(file(other))).toEqual({ kind: 'taken' });
    expect(await readFile(join(root, 'm.safetensors'))).toEqual(GOOD);
  });

  it('stays where it is under no configured folder', async () => {
    expect(await folders.place(file(GOOD, 'models/loras/m.safetensors'))).toEqual({ kind: 'elsewhere' });
    expect(await folders.place(file(GOOD, 'photo.png'))).toEqual({ kind: 'elsewhere' });
  });

  it.each([
    'models/checkpoints/../../x.safetensors',
    'models/checkpoints//x.safetensors',
    'models/checkpoints/x.ckpt',
    'models/checkpoints/x.pt',
    'models/checkpoints/.hidden.safetensors',
    'models/checkpoints/a\\b.safetensors',
    'models/checkpoints/',
  ])('with the path %s is refused', async (path) => {
    expect(await folders.place(file(GOOD, path))).toMatchObject({ kind: 'refused' });
    expect(await readdir(root)).toEqual([]);
  });

  it.each([
    ['a pickle', Buffer.from('80024d4d2e0000000000000000', 'hex')],
    ['nothing', Buffer.alloc(0)],
    ['a header that is longer than the file', safetensors({ a: TENSOR }, 12).subarray(0, 20)],
    ['no JSON', safetensors('{"a":', 0)],
    ['a list', safetensors('[]', 0)],
    ['an unknown type', safetensors({ a: { ...TENSOR, dtype: 'OBJ' } }, 12)],
    ['a tensor beyond the end', safetensors({ a: TENSOR }, 11)],
    ['bytes that no tensor has', safetensors({ a: TENSOR }, 13)],
    ['a gap', safetensors({ a: { ...TENSOR, data_offsets: [1, 13] } }, 13)],
    ['overlapping tensors', safetensors({ a: TENSOR, b: TENSOR }, 12)],
    ['a size that is not that of the shape', safetensors({ a: { ...TENSOR, shape: [2, 4] } }, 12)],
    ['a negative place', safetensors({ a: { ...TENSOR, data_offsets: [-12, 0] } }, 0)],
  ])('that is %s is refused and leaves nothing behind', async (_, bytes) => {
    expect(await folders.place(file(bytes))).toMatchObject({ kind: 'refused' });
    expect(await readdir(root)).toEqual([]);
  });

  it('of random bytes never gets through', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const placement = await folders.place(file(Buffer.from(bytes)));
      expect(placement.kind).toBe('refused');
    });
    await fc.assert(property, { numRuns: 50, verbose: 1 });
  });

  it('follows no link', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'heddle-outside-'));
    try {
      await symlink(outside, join(root, 'linked'));
      const placement = await folders.place(file(GOOD, 'models/checkpoints/linked/m.safetensors'));
      expect(placement).toMatchObject({ kind: 'refused' });
      await writeFile(join(outside, 'precious'), 'x');
      await symlink(join(outside, 'precious'), join(root, 'm.safetensors'));
      expect(await folders.place(file(GOOD))).toEqual({ kind: 'taken' });
      expect(await readFile(join(outside, 'precious'), 'utf8')).toBe('x');
      await mkdir(join(root, 'n.safetensors'));
      expect(await folders.place(file(GOOD, 'models/checkpoints/n.safetensors'))).toEqual({ kind: 'taken' });
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });
});
