import {
  blake3Of,
  eventually,
  expectStatus,
  failingGraph,
  jsonOf,
  pictureGraph,
  sleepingGraph,
  textGraph,
  textOf,
  withoutUrlExpiry,
} from '@heddle/testing-api';
import type { Asset, Job } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectRefusal, expectUrlExpiry, msBetween, sameBody } from './expectations.js';
import { unknownId, useServer } from './server.js';
import { surface } from './surface.js';

const ORDER = ['queued', 'running', 'canceling', 'succeeded', 'failed', 'canceled', 'expired'];

/** Longer than any stall of this process or a service, so that a read sees the job running. */
const RUN_S = 5;

describe('GET /api/v2/jobs/{id}', () => {
  const server = useServer();
  /** Reads the job repeatedly until its end. */
  const watched = async (id: string): Promise<Job[]> => {
    const seen: Job[] = [];
    await eventually('the end of the job', async () => {
      seen.push(await server.client.jobNow(id));
      return ['succeeded', 'failed'].includes(seen.at(-1)?.status ?? '');
    });
    return seen;
  };

  it('shows the job through its life, forward only (decisions, Edges) [JB01]', async () => {
    const submitted = await server.client.submitted(sleepingGraph(RUN_S));
    const seen = [submitted, ...(await watched(submitted.id))];
    const ranks = seen.map((job) => ORDER.indexOf(job.status));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    const running = seen.find((job) => job.status === 'running');
    expect(running).toMatchObject({ completed_at: null, queue_position: null });
    expect(running?.started_at).not.toBeNull();
    const last = seen.at(-1);
    expect(last).toMatchObject({ status: 'succeeded', error: null, queue_position: null });
    expect(last?.started_at).toBe(running?.started_at);
    expect(msBetween(last?.started_at ?? null, last?.completed_at ?? null)).toBeGreaterThanOrEqual(RUN_S * 1000 - 10);
    for (const key of ['id', 'created_at', 'expires_at', 'urls', 'deployment_id'] as const) {
      for (const job of seen) expect(job[key]).toEqual(submitted[key]);
    }
  });

  it('measures how long a job waited and ran, as integers (decisions, metrics)', async () => {
    const { id } = await server.client.submitted(sleepingGraph(0.2));
    const job = await server.client.reached(id, 'succeeded');
    expect(Number.isInteger(job.metrics.queue_ms) && Number.isInteger(job.metrics.execution_ms)).toBe(true);
    expect(job.metrics.execution_ms).toBeGreaterThanOrEqual(190);
    expect(job.metrics.queue_ms).toBeGreaterThanOrEqual(0);
  });

  it('ends with progress 1 over all nodes that an output depends on (decisions, nodes_total)', async () => {
    const { id } = await server.client.submitted(pictureGraph());
    const { progress } = await server.client.reached(id, 'succeeded');
    expect(progress).toMatchObject({ value: 1, nodes_done: 2, nodes_total: 2 });
  });

  it('never lets the progress fall (decisions, Progress)', async () => {
    const { id } = await server.client.submitted(sleepingGraph(RUN_S));
    const values = (await watched(id)).flatMap((job) => job.progress?.value ?? []);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(values.at(-1)).toBe(1);
    expect(values.some((value) => value > 0 && value < 1)).toBe(true);
  });

  it('shows outputs as they are committed, with the content endpoint as url (Job, outputs) [JB02] [JB06]', async () => {
    const { id } = await server.client.submitted(sleepingGraph(60));
    const early = await expect
      .poll(async () => (await server.client.jobNow(id)).outputs.length, { timeout: 30_000 })
      .toBe(1);
    void early;
    const running = await server.client.jobNow(id);
    expect(running.status).toBe('running');
    const [first] = running.outputs;
    expect(first?.url).toBe(`${server.url}/api/v2/assets/${first?.id}/content`);
    expectUrlExpiry(first?.url_expires_at, 'output');
    if (surface.content === 'redirect') expect(first?.url_expires_at).toBe(running.expires_at);
    expectStatus(await server.client.content(first?.id ?? ''), 200, 302);
    await server.client.cancel(id);
    const ended = await server.client.reached(id, 'canceled');
    expect(withoutUrlExpiry(ended.outputs[0])).toEqual(withoutUrlExpiry(first));
  });

  it('gives every output an asset of its own that can be fetched (Job, outputs) [JB03]', async () => {
    const { id } = await server.client.submitted({ ...textGraph('first'), ...renumbered(pictureGraph()) });
    const { outputs } = await server.client.reached(id, 'succeeded');
    expect(outputs.map((output) => output.type).sort()).toEqual(['image', 'text']);
    for (const output of outputs) {
      expect(output.job_id).toBe(id);
      const asset = jsonOf<Asset>(expectStatus(await server.client.asset(output.id), 200));
      expect(asset).toMatchObject({
        job_id: id,
        hash: output.hash,
        size_bytes: output.size_bytes,
        content_type: output.content_type,
      });
      const content = await server.client.content(output.id);
      expect(blake3Of(content.bytes)).toBe(output.hash);
      expect(content.bytes.length).toBe(output.size_bytes);
    }
  });

  it('names text outputs <node>_<n>.txt, text/plain in UTF-8, and pictures as the engine does (decisions, Outputs of a node)', async () => {
    const { id } = await server.client.submitted({ ...textGraph('grüße 💡'), ...renumbered(pictureGraph()) });
    const { outputs } = await server.client.reached(id, 'succeeded');
    const text = outputs.find((output) => output.type === 'text');
    expect(text).toMatchObject({
      node_id: '2',
      name: expect.stringMatching(/^2_\d+\.txt$/),
      content_type: 'text/plain; charset=utf-8',
    });
    expect((await server.client.content(text?.id ?? '')).bytes.toString('utf8')).toBe('grüße 💡');
    const picture = outputs.find((output) => output.type === 'image');
    expect(picture).toMatchObject({
      node_id: '12',
      content_type: 'image/png',
      name: expect.stringMatching(/^[^/]+\.png$/),
    });
  });

  it('keeps the outputs committed before a failure and says what failed (job.error) [JB07]', async () => {
    const { id } = await server.client.submitted(failingGraph('told by the node'));
    const job = await server.client.reached(id, 'failed');
    expect(job.error).toMatchObject({ code: 'node_execution_error', node_id: '3', class_type: 'HeddleTestFail' });
    expect(job.error?.message).toContain('told by the node');
    expect(job.outputs.map((output) => output.node_id)).toEqual(['2']);
    expect(JSON.stringify(job.error)).not.toMatch(/node_modules|\/(work|root|home|tmp)\//);
  });

  it('serves a client that only polls, and one that only follows links (What the service does, rules 1 and 4) [XC04] [XC05]', async () => {
    const asset = await server.client.uploaded();
    expectStatus(await server.client.follow(asset.url), 200, 302);
    const { urls } = await server.client.submitted(textGraph('linked'));
    await expect
      .poll(async () => jsonOf<Job>(await server.client.follow(urls.self)).status, { timeout: 45_000 })
      .toBe('succeeded');
    const job = jsonOf<Job>(await server.client.follow(urls.self));
    expect(textOf(expectStatus(await server.client.follow(job.outputs[0]?.url ?? ''), 200, 302))).toBe('linked');
    expectStatus(await server.client.follow(job.urls.workflow), 200);
    expectStatus(await server.client.follow(job.urls.cancel, 'POST'), 200);
  });

  it.each(['..%2f..%2fassets', 'abc', '%00', '1', 'x'.repeat(3000), '%F0%9F%92%A9'])(
    'answers 404 to the job id %s on every job route [JB09]',
    async (id) => {
      const unknown = await server.client.job(unknownId());
      for (const route of ['', '/workflow', '/events'])
        sameBody(await server.client.get(`/api/v2/jobs/${id}${route}`), unknown);
      expectRefusal(await server.client.cancel(id), 404, 'not_found');
    },
  );

  it('answers HEAD as it would GET, without the body (decisions, 405, HEAD)', async () => {
    const { id } = await server.client.submitted(textGraph());
    const head = await server.client.request('HEAD', `/api/v2/jobs/${id}`);
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });
});

function renumbered(graph: ReturnType<typeof pictureGraph>): ReturnType<typeof pictureGraph> {
  return {
    '11': graph['1']!,
    '12': { class_type: 'SaveImage', inputs: { images: ['11', 0], filename_prefix: 'heddle' } },
  };
}
