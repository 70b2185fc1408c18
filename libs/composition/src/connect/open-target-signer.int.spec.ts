import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newBlobKey } from '@heddle/platform-blob-store';
import type { TargetSigner } from '@heddle/platform-blob-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTargetSigner, signerForGateway, signerForStore } from './open-target-signer.js';

describe('the keys of signed URLs', () => {
  let data: string;
  let file: string;
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'heddle-signer-'));
    file = join(data, 'given');
    await writeFile(file, `a:${Buffer.alloc(32, 1).toString('base64')}\n`);
  });
  afterAll(async () => {
    await rm(data, { recursive: true });
  });

  const standalone = (changes: object = {}) =>
    openTargetSigner({ surface: 'managed', signedUrlKeys: null, s3Endpoint: null, data, ...changes });
  const target = (signer: TargetSigner | null) =>
    signer!.sign(newBlobKey(), 'a', { signedAt: new Date(), seconds: 60 });

  it('are not made on self-hosted, nor where the store signs', async () => {
    expect(await standalone({ surface: 'self-hosted' })).toBeNull();
    expect(await standalone({ s3Endpoint: 'http://127.0.0.1:9000' })).toBeNull();
    expect(await readdir(data)).toEqual(['given']);
  });

  it('are made in the data folder once, for its owner alone, and outlive a restart', async () => {
    const first = target(await standalone());
    expect((await standalone({ surface: 'dedicated' }))!.verify(first, new Date())).not.toBeNull();
    expect((await stat(join(data, 'signed-url-keys'))).mode & 0o777).toBe(0o600);
  });

  it('of a file are those of the assets service and the gateways alike', async () => {
    const given = { surface: 'managed', signedUrlKeys: file, s3Endpoint: null } as const;
    const signed = target(await signerForStore(given));
    expect((await signerForGateway(given))!.verify(signed, new Date())).not.toBeNull();
    expect((await standalone(given))!.verify(signed, new Date())).not.toBeNull();
    expect(await signerForGateway({ surface: 'managed', signedUrlKeys: null })).toBeNull();
    expect(await signerForStore({ ...given, s3Endpoint: 'http://127.0.0.1:9000' })).toBeNull();
  });

  it('must be given to an assets service over a folder, and be readable', async () => {
    const none = { surface: 'managed', signedUrlKeys: null, s3Endpoint: null } as const;
    await expect(signerForStore(none)).rejects.toThrow(/^HEDDLE_SIGNED_URL_KEYS is needed/);
    await expect(standalone({ signedUrlKeys: join(data, 'missing') })).rejects.toThrow(
      /^HEDDLE_SIGNED_URL_KEYS .*missing cannot be used: ENOENT/,
    );
  });
});
