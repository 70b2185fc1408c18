import { blake3Of, expectStatus, freshBytes } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { ownServer, useServer } from './server.js';
import { surface } from './surface.js';

const ROUNDS = 60;
const CLIENTS = 8;

describe.runIf(ownServer && surface.content === 'bytes')('the storage after a mixed load', () => {
  const server = useServer({ HEDDLE_BLOB_GRACE_S: '0.5', HEDDLE_WORKERS: '0' });

  it('holds one blob for each distinct hash of a live asset, and nothing else, and every asset is readable [XC10]', async () => {
    const contents = Array.from({ length: 12 }, () => freshBytes(2000));
    const live = new Map<string, Asset>();
    const play = async (client: number): Promise<void> => {
      const random = new Random(seed + client * 7919);
      const next = (below: number): number => random.below(below);
      const mine: Asset[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const bytes = contents[next(contents.length)]!;
        const turn = next(10);
        if (turn < 4) mine.push(await server.client.uploaded({ bytes, file_path: `${client}/${round}.bin` }));
        else if (turn < 6) {
          const answer = await server.client.fromHash({
            hash: blake3Of(bytes),
            file_path: `${client}/${round}-minted.bin`,
          });
          expectStatus(answer, 201, 404);
          if (answer.status === 201) mine.push(JSON.parse(answer.bytes.toString()) as Asset);
        } else if (turn < 9 && mine.length > 0) {
          const [asset] = mine.splice(next(mine.length), 1);
          expectStatus(await server.client.deleteAsset(asset!.id), 204);
        } else {
          expectStatus(await server.client.headByHash(blake3Of(bytes)), 200, 404);
        }
      }
      for (const asset of mine) live.set(asset.id, asset);
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => play(client)));
    const byHash = new Map(contents.map((bytes) => [blake3Of(bytes), bytes]));
    for (const asset of live.values()) {
      const content = expectStatus(await server.client.content(asset.id), 200, 302);
      if (content.status === 200)
        expect(content.bytes.equals(byHash.get(asset.hash ?? '')!), `seed ${seed}`).toBe(true);
    }
    const distinct = new Set([...live.values()].map((asset) => asset.hash)).size;
    const blobs = async (): Promise<number> =>
      (await server.process.storedFiles()).filter((file) => file.size === 2000).length;
    await expect.poll(blobs, { timeout: 60_000, interval: 200, message: `seed ${seed}` }).toBe(distinct);
    expect((await server.process.storedFiles()).filter((file) => file.size !== 2000 && file.size > 500)).toEqual([]);
  }, 240_000);
});
