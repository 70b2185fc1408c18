import { createSecretKey } from 'node:crypto';
import { accepted } from '@heddle/contracts-messages';
import type { AssetsPort } from '@heddle/contracts-messages';
import { newBlobKey } from '@heddle/platform-blob-store';
import { TargetSigner } from '@heddle/platform-blob-store/target-signer';
import { describe, expect, it } from 'vitest';
import { ReadSignedContentHandler } from './read-signed-content.handler.js';

const signerOf = (byte: number): TargetSigner =>
  new TargetSigner([{ id: 'one', secret: createSecretKey(Buffer.alloc(32, byte)) }]);
const head = { method: 'HEAD', headers: {} };

describe('a signed URL', () => {
  const key = newBlobKey();
  const asked: string[] = [];
  const assets = {
    stored: (objectKey: string) => {
      asked.push(objectKey);
      return Promise.resolve(accepted({ hash: `blake3:${'0a'.repeat(32)}`, sizeBytes: 10 }));
    },
  } as unknown as AssetsPort;
  const target = signerOf(1).sign(key, 'photo.png', {
    signedAt: new Date(Math.floor(Date.now() / 1000) * 1000),
    seconds: 600,
  });

  it('gives the content that it names', async () => {
    const handler = new ReadSignedContentHandler(assets, signerOf(1));
    expect(await handler.handle(target, head)).toMatchObject({
      ok: true,
      status: 200,
      headers: { 'content-length': '10' },
    });
    expect(asked.splice(0)).toEqual([key]);
  });

  it.each([
    ['of another key', target, signerOf(2)],
    ['with another name', target.replace(/name=[\w-]*/, 'name=b3RoZXI'), signerOf(1)],
    ['without a signature', target.split('&signature')[0]!, signerOf(1)],
    ['where none are served', target, null],
  ])('%s is refused, and nothing is looked up', async (_, given, signer) => {
    const handler = new ReadSignedContentHandler(assets, signer);
    expect(await handler.handle(given, head)).toMatchObject({ ok: false, rejection: { code: 'forbidden' } });
    expect(asked).toEqual([]);
  });
});
