import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlobExistsError, BlobStoreUnavailableError, newBlobKey } from '../blob-store.js';
import type { BlobKey } from '../blob-store.js';
import { describeBlobStore } from '../blob-store.suite.js';
import type { SignedAnswer } from '../blob-store.suite.js';
import { attachment } from '../content-disposition.js';
import { TargetSigner } from '../sign-urls/target-signer.js';
import { DirectoryBlobStore } from './directory-blob-store.js';

describeBlobStore('in a local directory', async () => {
  const root = await mkdtemp(join(tmpdir(), 'heddle-blobs-'));
  const signer = new TargetSigner([{ id: 'a', secret: createSecretKey(randomBytes(32)) }]);
  const store = await DirectoryBlobStore.open(root, signer);
  // The gateway's route, without HTTP.
  const get = async (url: string): Promise<SignedAnswer> => {
    const signed = signer.verify(url, new Date());
    const none = { contentType: null, disposition: null, body: Buffer.alloc(0) };
    if (signed === null) return { status: 403, ...none };
    if ((await store.stat(signed.key)) === null) return { status: 403, ...none };
    const body = await buffer(await store.read(signed.key));
    return { status: 200, contentType: 'application/octet-stream', disposition: attachment(signed.fileName), body };
  };
  return { store, get, end: () => rm(root, { recursive: true }) };
});

/** In memory. */
const OTHER_FILE_SYSTEM = '/dev/shm';

describe('a directory of blobs', () => {
  let root: string;
  let store: DirectoryBlobStore;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'heddle-blobs-'));
    store = await DirectoryBlobStore.open(root);
  });
  afterAll(async () => {
    await rm(root, { recursive: true });
  });

  const fileOf = (key: BlobKey): string => join(root, key[34]!, key[35]!, key);

  it('keeps its files from other users', async () => {
    const key = newBlobKey();
    await (await store.write(key)).finish();
    expect((await stat(fileOf(key))).mode & 0o777).toBe(0o600);
  });

  it('opens again over what is there and ignores foreign files', async () => {
    const key = newBlobKey();
    await (await store.write(key)).finish();
    await writeFile(join(root, 'a', 'b', 'README'), 'not a blob');
    const again = await DirectoryBlobStore.open(root);
    expect(await again.stat(key)).toEqual({ sizeBytes: 0 });
    const keys = [];
    for await (const object of again.list()) keys.push(object.key);
    expect(keys).toContain(key);
    expect(keys.every((each) => each.length === 36)).toBe(true);
  });

  it('refuses what is no key, so that no path leaves the root', async () => {
    for (const key of ['../../../etc/passwd', '', `${newBlobKey()}/..`] as BlobKey[]) {
      await expect(store.read(key)).rejects.toThrow('lower-case UUID');
      await expect(store.delete(key)).rejects.toThrow('lower-case UUID');
    }
  });

  it('leaves no temporary file beside a finished object', async () => {
    const key = newBlobKey();
    const writer = await store.write(key);
    await writer.write(Buffer.from('x'));
    await writer.finish();
    const names = await readdir(join(root, key[34]!, key[35]!));
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('copies a file of another file system, for its owner alone', async () => {
    const folder = await mkdtemp(join(OTHER_FILE_SYSTEM, 'heddle-blobs-'));
    const [file, key] = [join(folder, 'archive'), newBlobKey()];
    try {
      await writeFile(file, 'elsewhere', { mode: 0o644 });
      await store.writeFile(key, file);
    } finally {
      await rm(folder, { recursive: true });
    }
    expect((await buffer(await store.read(key))).toString()).toBe('elsewhere');
    expect((await stat(fileOf(key))).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(fileOf(key)))).not.toContain(`${key}.part`);
  });

  it('writes the bytes of a file on its own file system once', async () => {
    const [file, key] = [join(root, 'archive'), newBlobKey()];
    await writeFile(file, 'here');
    await store.writeFile(key, file);
    expect((await stat(fileOf(key))).ino).toBe((await stat(file)).ino);
    await rm(file);
  });

  it('tells what the system says of a small file that cannot be written, and leaves nothing of it', async () => {
    const folder = join(root, 'broken');
    const broken = await DirectoryBlobStore.open(folder);
    const key = newBlobKey();
    const writer = await broken.write(key);
    await writer.write(Buffer.from('nowhere'));
    await rm(join(folder, key[34]!, key[35]!), { recursive: true });
    await expect(writer.finish()).rejects.toMatchObject({ code: 'ENOENT' });
    await writer.abort();
    const other = newBlobKey();
    await (await store.write(other)).finish();
    expect(await store.stat(other)).toEqual({ sizeBytes: 0 });
  });

  it('takes a key for the first of two writers that begins to write, and keeps what that one wrote', async () => {
    const key = newBlobKey();
    const [first, second] = [await store.write(key), await store.write(key)];
    // The second write waits for the first one.
    for (let part = 0; part < 2; part += 1) await first.write(Buffer.alloc(1_500_000, 1));
    await second.write(Buffer.from('second'));
    await expect(second.finish()).rejects.toBeInstanceOf(BlobExistsError);
    await second.abort();
    await first.finish();
    expect(await store.stat(key)).toEqual({ sizeBytes: 3_000_000 });
  });

  it.each([
    ['small', 6],
    ['large', 2_000_000],
  ])('refuses a %s object under a key that was finished since its writer was opened', async (_, sizeBytes) => {
    const key = newBlobKey();
    const [late, first] = [await store.write(key), await store.write(key)];
    await first.write(Buffer.from('the first'));
    await first.finish();
    await late.write(Buffer.alloc(sizeBytes, 1));
    await expect(late.finish()).rejects.toBeInstanceOf(BlobExistsError);
    await late.abort();
    expect(await store.stat(key)).toEqual({ sizeBytes: 9 });
    const names = await readdir(join(root, key[34]!, key[35]!));
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is unhealthy without its folder', async () => {
    const gone = await DirectoryBlobStore.open(join(root, 'gone'));
    await gone.health();
    await rm(join(root, 'gone'), { recursive: true });
    // The mount point of a volume that is not mounted.
    for (const empty of [false, true]) {
      if (empty) await mkdir(join(root, 'gone'));
      await expect(gone.health()).rejects.toBeInstanceOf(BlobStoreUnavailableError);
    }
  });
});
