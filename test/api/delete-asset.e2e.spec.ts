import {
  assetReference,
  blake3Of,
  expectStatus,
  freshBytes,
  freshPicture,
  jsonOf,
  loadGraph,
  sleepingGraph,
  textGraph,
  textOf,
} from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal, sameBody } from './expectations.js';
import { unknownId, useServer, waiting } from './server.js';

describe('DELETE /api/v2/assets/{id}', () => {
  const server = useServer();

  it('answers 204 without a body (DELETE, 204) [AS04]', async () => {
    const { id } = await server.client.uploaded();
    const answer = await server.client.deleteAsset(id);
    expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
    expect(answer.headers['content-type']).toBeUndefined();
  });

  it('answers 404 to a second delete, as to an unknown id (DELETE, 404) [AS05]', async () => {
    const { id } = await server.client.uploaded();
    await server.client.deleteAsset(id);
    const again = await server.client.deleteAsset(id);
    expectRefusal(again, 404, 'not_found');
    sameBody(again, await server.client.deleteAsset(unknownId()));
  });

  it('takes the asset from every route and from jobs (Errors, Other rules 1) [AS06]', async () => {
    const { id } = await server.client.uploaded({ bytes: freshPicture(), content_type: 'image/png' });
    await server.client.deleteAsset(id);
    expectRefusal(await server.client.asset(id), 404, 'not_found');
    expectRefusal(await server.client.content(id), 404, 'not_found');
    const { details } = expectRefusal(await server.client.submit(loadGraph(assetReference(id))), 422, 'missing_asset');
    expect(details?.['missing_ids']).toEqual([id]);
  });

  it("never destroys another asset's bytes (Asset, rule 2) [AS07]", async () => {
    const bytes = freshBytes();
    const first = await server.client.uploaded({ bytes });
    const second = await server.client.uploaded({ bytes });
    expectStatus(await server.client.deleteAsset(first.id), 204);
    expect((await server.client.content(second.id)).bytes.equals(bytes)).toBe(true);
    expect((await server.client.headByHash(blake3Of(bytes))).status).toBe(200);
  });

  it('answers 409 asset_in_use for an output of a retained job, without a reason (Errors, asset_in_use) [AS09]', async () => {
    const job = await server.client.submitted(textGraph());
    const { outputs } = await server.client.reached(job.id, 'succeeded');
    const id = outputs[0]?.id ?? '';
    const refused = await server.client.deleteAsset(id);
    const error = expectRefusal(refused, 409, 'asset_in_use');
    expect(JSON.stringify(error)).not.toMatch(/job|output|moderation|retain/i);
    expectStatus(await server.client.content(id), 200);
  });

  it('answers 409 asset_in_use while a job that refers to it runs, then deletes it (decisions, Holds) [AS09]', async () => {
    const asset = await server.client.uploaded({
      bytes: freshPicture(),
      content_type: 'image/png',
      file_path: 'held.png',
    });
    const graph = { ...sleepingGraph(60), ...loadGraph(assetReference(asset.id)) };
    const job = await server.client.submitted(graph);
    const refused = await server.client.deleteAsset(asset.id);
    expectRefusal(refused, 409, 'asset_in_use');
    expect(jsonOf<Asset>(expectStatus(await server.client.asset(asset.id), 200)).file_path).toBe('held.png');
    await server.client.reached(job.id, 'running');
    expectRefusal(await server.client.deleteAsset(asset.id), 409, 'asset_in_use');
    await server.client.cancel(job.id);
    await server.client.reached(job.id, 'canceled');
    expectStatus(await server.client.deleteAsset(asset.id), 204);
  });

  it('says the same for every hold', async () => {
    const job = await server.client.submitted(textGraph());
    const { outputs } = await server.client.reached(job.id, 'succeeded');
    const asset = await server.client.uploaded({ bytes: freshPicture(), content_type: 'image/png' });
    const holding = await server.client.submitted({ ...sleepingGraph(60), ...loadGraph(assetReference(asset.id)) });
    const answers = [await server.client.deleteAsset(outputs[0]?.id ?? ''), await server.client.deleteAsset(asset.id)];
    expect(textOf(answers[0]!)).toBe(textOf(answers[1]!));
    await server.client.cancel(holding.id);
    await server.client.reached(holding.id, 'canceled');
  });

  it('lets exactly one of 20 parallel deletes through, the rest see 404 [AS10]', async () => {
    const { id } = await server.client.uploaded();
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.client.deleteAsset(id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
  });
});

describe('an asset whose job has ended', () => {
  const server = useServer(waiting);

  it('is deleted whenever the news of the end reach the assets service (decisions, Holds)', async () => {
    const bytes = freshPicture();
    for (let round = 0; round < 20; round += 1) {
      const assets = await Promise.all(
        Array.from({ length: 10 }, async () => await server.client.uploaded({ bytes, content_type: 'image/png' })),
      );
      const ended = assets.map(async ({ id }) => {
        const job = await server.client.submitted(loadGraph(assetReference(id)));
        await server.client.cancel(job.id);
        return await server.client.deleteAsset(id);
      });
      expect((await Promise.all(ended)).map(({ status }) => status)).toEqual(assets.map(() => 204));
    }
  });
});
