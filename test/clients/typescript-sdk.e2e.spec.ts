import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Comfy, ComfyError } from '@comfyorg/sdk';
import type { ComfyEvent, Workflow } from '@comfyorg/sdk';
import { ComfyLow } from '@comfyorg/sdk/low';
import {
  blake3Of,
  freshPicture,
  loadGraph,
  pictureGraph,
  send,
  sleepingGraph,
  textGraph,
  textOf,
} from '@heddle/testing-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKey, ownServer, useServer } from '../api/server.js';
import { ENGINES, useEngineBehind } from './engine-behind.js';

describe.runIf(ownServer).each(ENGINES)('the official TypeScript SDK, unchanged, over %s', (engine) => {
  const settings = { HEDDLE_QUEUE_DEPTH_ACCOUNT: '2' };
  useEngineBehind(engine, settings);
  const server = useServer(settings);
  let folder: string;
  let comfy: Comfy;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-sdk-'));
    process.env['COMFY_BASE_URL'] = server.url;
    comfy = new Comfy();
  });
  afterAll(async () => {
    delete process.env['COMFY_BASE_URL'];
    await rm(folder, { recursive: true, force: true });
  });
  const workflow = (graph: object): Workflow => comfy.workflows.fromJson(graph as Record<string, unknown>);

  it('uploads, submits, streams, waits and downloads [XC06]', async () => {
    const picture = freshPicture(40, 30);
    const path = join(folder, 'photo.png');
    await writeFile(path, picture);
    const asset = comfy.assets.fromFile(path);
    const graph = workflow(loadGraph('placeholder'));
    graph.setInput('10', 'image', asset);
    const job = await comfy.submit(graph);
    expect(asset.createdNew).toBe(true);
    expect(await asset.hash()).toBe(blake3Of(picture));
    const events: ComfyEvent[] = [];
    for await (const event of job.events()) events.push(event);
    expect(events.at(-1)).toMatchObject({ kind: 'statusChange', status: 'succeeded' });
    const kinds = events.map((event) => event.kind);
    expect(kinds.indexOf('outputReady')).toBeGreaterThanOrEqual(0);
    expect(kinds.lastIndexOf('outputReady')).toBeLessThan(kinds.lastIndexOf('statusChange'));
    await job.result();
    const [output] = job.getOutputs('12');
    const saved = await output!.toFile(join(folder, 'out.png'));
    const bytes = await readFile(saved);
    expect(bytes).toHaveLength(output!.sizeBytes);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(Buffer.from(await output!.toBytes({ range: [1, 3] })).toString()).toBe('PNG');
    await output!.getDownloadUrl().catch((error: unknown) => expect(error).toBeInstanceOf(Error));
  });

  it('mints from bytes that the server has already, without sending them again [XC06]', async () => {
    const bytes = freshPicture();
    const first = comfy.assets.fromBytes(bytes, { filename: 'a.png' });
    const second = comfy.assets.fromBytes(bytes, { filename: 'b.png' });
    await first.commit();
    await second.commit();
    expect([first.createdNew, second.createdNew]).toEqual([true, false]);
    expect(second.id).not.toBe(first.id);
    const again = await comfy.assets.get(second.id ?? '');
    expect(again.filePath).toBe('b.png');
    await second.delete();
    await expect(comfy.assets.get(again.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('runs a graph to its end in one call and reports a failure with its node', async () => {
    const job = await comfy.run(workflow(pictureGraph()));
    expect(job.status).toBe('succeeded');
    expect(job.outputs).toHaveLength(1);
    const failing = {
      ...textGraph(),
      '3': { class_type: 'HeddleTestFail', inputs: { message: 'told', value: ['1', 0] } },
    };
    await expect(comfy.run(workflow(failing))).rejects.toMatchObject({ message: expect.stringContaining('failed') });
  });

  it('raises what the server refuses by its code', async () => {
    await expect(comfy.submit(workflow({ '1': { class_type: 'Nope', inputs: {} } }))).rejects.toMatchObject({
      code: 'invalid_workflow',
    });
    const idempotencyKey = newKey();
    const job = await comfy.submit(workflow(textGraph()), { idempotencyKey });
    await job.wait();
    await expect(comfy.submit(workflow(textGraph()), { idempotencyKey })).rejects.toMatchObject({
      code: 'idempotency_key_reuse',
    });
    await expect(comfy.jobs.get(newKey())).rejects.toMatchObject({ code: 'not_found' });
    expect(await comfy.jobs.get(newKey()).catch((error: unknown) => error)).toBeInstanceOf(ComfyError);
  });

  it('cancels a running job and reads its workflow', async () => {
    const graph = sleepingGraph(60);
    const job = await comfy.submit(workflow(graph));
    for await (const event of job.events()) {
      if (event.kind === 'statusChange' && event.status === 'running') break;
    }
    await job.cancel();
    expect(['canceling', 'canceled']).toContain(job.status);
    await job.wait();
    expect(job.status).toBe('canceled');
    expect(await job.getWorkflow()).toMatchObject({ format: 'api', workflow: graph });
    const rehydrated = await comfy.jobs.get(job.id);
    expect(rehydrated.status).toBe('canceled');
  });

  it('gets its job in after queue_full, by its own retries with one key [XC07]', async () => {
    const blocker = await comfy.submit(workflow(sleepingGraph(60)));
    await server.client.reached(blocker.id, 'running');
    const waiting = [await comfy.submit(workflow(textGraph())), await comfy.submit(workflow(textGraph()))];
    const idempotencyKey = newKey();
    const submission = comfy.submit(workflow(textGraph()), { idempotencyKey });
    // The await below reports the error.
    submission.catch(() => undefined);
    const metrics = async (): Promise<string> =>
      textOf(await send(server.opsUrl, { method: 'GET', target: '/metrics' }));
    await expect.poll(metrics, { timeout: 30_000 }).toMatch(/^heddle_http_refusals_total\{code="queue_full"\} [1-9]/m);
    await waiting[0]!.cancel();
    const job = await submission;
    await blocker.cancel();
    await job.result();
    const { jobs } = await server.client.jobPage(`?idempotency_key=${idempotencyKey}`);
    expect(jobs.map((found) => found.id)).toEqual([job.id]);
  });

  it('forwards partner credentials through its low layer, where their names are free (clients 3.8)', async () => {
    const low = new ComfyLow(server.url);
    const job = await low.postJobs(textGraph(), {
      idempotencyKey: newKey(),
      extraData: { api_key_partner_org: 'k' } as never,
    });
    expect(job.status).toBe('queued');
    await expect(comfy.submit(workflow(textGraph()), { apiKey: 'k' })).rejects.toMatchObject({
      code: 'invalid_workflow',
    });
  });
});
