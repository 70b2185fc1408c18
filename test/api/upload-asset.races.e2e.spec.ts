import { blake3Of, expectStatus, freshBytes, jsonOf } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from './server.js';

describe('equal bytes uploaded at the same time', () => {
  const server = useServer({}, { alone: true });
  const form = (bytes: Uint8Array) => ({ bytes, content_type: 'image/png', file_path: 'photo.png' });
  const blobs = async (): Promise<Set<string>> =>
    new Set(ownServer ? (await server.process.storedFiles()).map((file) => file.path) : []);

  it('mints 32 assets over one blob, exactly one of them created_new (Asset, rules 1 and 2) [UP17]', async () => {
    await server.client.uploaded();
    const before = await blobs();
    const bytes = freshBytes(50_000);
    const answers = await Promise.all(Array.from({ length: 32 }, () => server.client.upload(form(bytes))));
    const assets = answers.map((answer) => jsonOf<Asset>(expectStatus(answer, 200, 201)));
    expect(assets.filter((asset) => asset.created_new)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(new Set(assets.map((asset) => asset.id)).size).toBe(32);
    expect(new Set(assets.map((asset) => asset.hash))).toEqual(new Set([blake3Of(bytes)]));
    for (const asset of assets.slice(0, 4)) {
      expect((await server.client.content(asset.id)).bytes.equals(bytes)).toBe(true);
    }
    if (!ownServer) return;
    await expect
      .poll(async () => [...(await blobs())].filter((path) => !before.has(path)).length, { timeout: 30_000 })
      .toBe(1);
  });

  it('never leaves an asset without its bytes when from-hash runs beside the upload of them [FH15]', async () => {
    for (let round = 0; round < 10; round += 1) {
      const bytes = freshBytes(20_000);
      const hash = blake3Of(bytes);
      const [upload, ...minted] = await Promise.all([
        server.client.upload(form(bytes)),
        ...Array.from({ length: 4 }, (_, i) => server.client.fromHash({ hash, file_path: `copy-${i}.png` })),
      ]);
      expectStatus(upload, 201);
      for (const answer of minted) {
        if (answer.status === 404) continue;
        const asset = jsonOf<Asset>(expectStatus(answer, 200, 201));
        expect((await server.client.content(asset.id)).bytes.equals(bytes)).toBe(true);
      }
    }
  });

  it('keeps the bytes readable for whoever holds an asset, while others delete and upload them again', async () => {
    const bytes = freshBytes(5000);
    const keeper = await server.client.uploaded(form(bytes));
    const churn = async (): Promise<void> => {
      for (let round = 0; round < 10; round += 1) {
        const asset = await server.client.uploaded(form(bytes));
        expectStatus(await server.client.deleteAsset(asset.id), 204);
      }
    };
    await Promise.all([churn(), churn(), churn(), churn()]);
    expect((await server.client.content(keeper.id)).bytes.equals(bytes)).toBe(true);
    expect((await server.client.headByHash(blake3Of(bytes))).status).toBe(200);
  });
});
