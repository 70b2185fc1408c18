import { assetReference, expectStatus, freshPicture, loadGraph } from '@heddle/testing-api';
import type { Asset } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal, sameBody } from './expectations.js';
import { fillSlots, ownServer, unknownId, useServer } from './server.js';
import { surface } from './surface.js';

/** Longer than any stall between an upload and its use, and short enough to wait for. */
const RETENTION_S = '6';

describe.runIf(ownServer && surface.content === 'bytes')('the inputs of jobs, where assets live for seconds', () => {
  const server = useServer({
    HEDDLE_BLOB_GRACE_S: '0.1',
    HEDDLE_ASSET_SWEEP_S: '0.1',
    HEDDLE_UPLOAD_RETENTION_S: RETENTION_S,
  });
  const picture = (): Promise<Asset> =>
    server.client.uploaded({ bytes: freshPicture(), content_type: 'image/png', file_path: 'input.png' });

  it('are there when the job runs, although their asset expired while it waited (reliability 3.7)', async () => {
    const release = await fillSlots(server);
    const asset = await picture();
    const job = await server.client.submitted(loadGraph(assetReference(asset.id)));
    await expect.poll(async () => (await server.client.asset(asset.id)).status, { timeout: 30_000 }).toBe(404);
    await release();
    await server.client.reached(job.id, 'succeeded');
  });

  it('are never deleted under a job: a delete that races with the submission wins or loses as a whole (Errors, asset_in_use)', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      const asset = await picture();
      const ask = [
        () => server.client.submit(loadGraph(assetReference(asset.id))),
        () => server.client.deleteAsset(asset.id),
      ] as const;
      const [submitted, deleted] =
        round % 2 === 0
          ? await Promise.all([ask[0](), ask[1]()])
          : await Promise.all([ask[1](), ask[0]()]).then(([second, first]) => [first, second] as const);
      seen.add(`${submitted.status} ${deleted.status}`);
      if (submitted.status !== 201) continue;
      const { id } = JSON.parse(submitted.bytes.toString()) as { id: string };
      await server.client.reached(id, 'succeeded');
    }
    // The job may have ended before the delete.
    for (const pair of seen) expect(['201 409', '422 204', '201 204']).toContain(pair);
  });

  it('are released by a submission that was refused for its graph', async () => {
    const asset = await picture();
    const graph = {
      ...loadGraph(assetReference(asset.id)),
      '9': { class_type: 'SaveImage', inputs: { images: ['77', 0] } },
    };
    expectStatus(await server.client.submit(graph), 422);
    expectStatus(await server.client.deleteAsset(asset.id), 204);
  });

  it('are no assets any more past expires_at: 404 on every route, nothing for a job (decisions; Errors, Other rules 1) [AS11]', async () => {
    const asset = await server.client.uploaded({ file_path: 'gone.png' });
    await expect.poll(async () => (await server.client.asset(asset.id)).status, { timeout: 30_000 }).toBe(404);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(asset.expires_at ?? ''));
    const unknown = await server.client.asset(unknownId());
    sameBody(await server.client.asset(asset.id), unknown);
    sameBody(await server.client.content(asset.id), unknown);
    sameBody(await server.client.deleteAsset(asset.id), unknown);
    expect((await server.client.headByHash(asset.hash ?? '')).status).toBe(404);
    const graph = {
      '1': { class_type: 'LoadImage', inputs: { image: { __type: 'core/ASSET', info: { id: asset.id } } } },
      '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    };
    expectRefusal(await server.client.submit(graph), 422, 'missing_asset');
  });
});

describe.runIf(ownServer)('limits of outputs (reliability 4.2)', () => {
  const server = useServer({ HEDDLE_MAX_OUTPUTS: '2', HEDDLE_OUTPUT_BYTES: '50' });
  const texts = (count: number, length = 5) => {
    const shown = Array.from({ length: count }, (_, i) => [
      `p${i}`,
      { class_type: 'PreviewAny', inputs: { source: [`t${i}`, 0] } },
    ]);
    const made = Array.from({ length: count }, (_, i) => [
      `t${i}`,
      { class_type: 'PrimitiveString', inputs: { value: `${i}`.padEnd(length, Math.random().toString(36)) } },
    ]);
    return Object.fromEntries([...made, ...shown]) as Record<string, object>;
  };

  it('are met by a job at the limit', async () => {
    const job = await server.client.submitted(texts(2, 50));
    expect((await server.client.reached(job.id, 'succeeded')).outputs).toHaveLength(2);
  });

  it.each([
    ['one output too many', () => texts(3)],
    ['ten times as many', () => texts(20)],
    ['an output of one byte too much', () => texts(1, 51)],
    ['an output of ten times the size', () => texts(1, 500)],
  ])('fail a job with output_limit for %s, and the next one runs', async (_, graph) => {
    const job = await server.client.submitted(graph());
    const ended = await server.client.ended(job.id);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'output_limit' } });
    expect(ended.outputs.length).toBeLessThanOrEqual(2);
    const next = await server.client.submitted(texts(1));
    await server.client.reached(next.id, 'succeeded');
  });
});
