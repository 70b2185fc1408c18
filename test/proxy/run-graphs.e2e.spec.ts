import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetReference, freshPicture, isTerminalFrame, loadGraph, pictureGraph } from '@heddle/testing-api';
import type { Graph, Job } from '@heddle/testing-api';
import { describe, expect, it } from 'vitest';
import { expectNodeErrors, expectRefusal } from '../api/expectations.js';
import { useServedProxy } from './proxy.js';

const colour = (): number => Math.floor(Math.random() * 0xffffff);
const empty = (size = 8, batch = 1) => ({
  class_type: 'EmptyImage',
  inputs: { width: size, height: size, batch_size: batch, color: colour() },
});

describe("jobs in front of an engine that speaks the real one's protocol", () => {
  const proxy = useServedProxy();

  it('are submitted, watched on the stream, and give the bytes that the engine has', async () => {
    const job = await proxy.client.submitted(pictureGraph({ size: 16 }));
    const stream = await proxy.client.events(job.id);
    const frames = await stream.all();
    const statuses = frames.filter(({ event }) => event === 'status').map(({ data }) => data['status']);
    expect(statuses.at(-1)).toBe('succeeded');
    expect(isTerminalFrame(frames.at(-1)!)).toBe(true);
    const told = frames.filter(({ event }) => event === 'output');
    const ended = await proxy.client.jobNow(job.id);
    expect(ended).toMatchObject({ status: 'succeeded', progress: { value: 1, nodes_done: 2, nodes_total: 2 } });
    expect(ended.started_at).not.toBeNull();
    expect(ended.completed_at).not.toBeNull();
    expect(told.map(({ data }) => data['id'])).toEqual(ended.outputs.map(({ id }) => id));
    const [output] = ended.outputs;
    const answer = await proxy.client.follow(output!.url);
    const file = await readFile(join(proxy.engine.directory, 'output', output!.name));
    expect(answer.bytes.equals(file)).toBe(true);
    expect(output).toMatchObject({ size_bytes: file.length, type: 'image', content_type: 'image/png', node_id: '2' });
  });

  it('give outputs of every kind, each in its own type', async () => {
    const graph: Graph = {
      '1': empty(8, 2),
      '2': {
        class_type: 'SaveAnimatedWEBP',
        inputs: { images: ['1', 0], filename_prefix: 'a', fps: 6, lossless: true, quality: 80, method: 'default' },
      },
      '3': { class_type: 'EmptyAudio', inputs: { duration: 0.1, sample_rate: 8000, channels: 1 } },
      '4': { class_type: 'SaveAudio', inputs: { audio: ['3', 0], filename_prefix: 'audio/a' } },
      '5': { class_type: 'EmptyLatentImage', inputs: { width: 16, height: 16, batch_size: 1 } },
      '6': { class_type: 'SaveLatent', inputs: { samples: ['5', 0], filename_prefix: 'latents/a' } },
      '7': { class_type: 'PreviewAny', inputs: { source: 'seven' } },
      '8': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    };
    const { outputs } = await succeeded(graph);
    const kinds = outputs.map(({ node_id, type, content_type }) => `${node_id} ${type} ${content_type}`).sort();
    expect(kinds).toEqual([
      '2 image image/webp',
      '4 audio audio/flac',
      '6 latent application/octet-stream',
      '7 text text/plain; charset=utf-8',
      '8 image image/png',
      '8 image image/png',
    ]);
    for (const { url, size_bytes } of outputs) expect((await proxy.client.follow(url)).bytes).toHaveLength(size_bytes);
  });

  it('take input files by asset and by name; equal bytes lie in the engine once', async () => {
    const bytes = freshPicture(8, 6);
    const path = `photos/${crypto.randomUUID()}.png`;
    const asset = await proxy.client.uploaded({ bytes, content_type: 'image/png', file_path: path });
    const twin = await proxy.client.uploaded({ bytes, content_type: 'image/png', file_path: `twin/${path}` });
    const first = await succeeded(loadGraph(assetReference(asset.id)));
    const pixels = (await proxy.client.follow(first.outputs[0]!.url)).bytes;
    for (const image of [path, assetReference(twin.id)]) {
      const { outputs } = await succeeded(loadGraph(image));
      const again = (await proxy.client.follow(outputs[0]!.url)).bytes;
      // The prompt in the picture's metadata is equal too, because it names the file by its content.
      expect(again.equals(pixels)).toBe(true);
    }
    const input = join(proxy.engine.directory, 'input');
    const files = (await readdir(input, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const contents = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
    expect(contents.filter((content) => content.equals(bytes))).toHaveLength(1);
    const refused = await proxy.client.submit(loadGraph('nobody-has-this.png'));
    expect(Object.keys(expectNodeErrors(refused))).toEqual(['10']);
    const workflow = await proxy.client.workflow(first.id);
    expect(JSON.parse(workflow.bytes.toString())).toMatchObject({ workflow: loadGraph(assetReference(asset.id)) });
  });

  it.each(['../secret.png', '/etc/passwd', 'a/../../b.png', 'a\\b.png', 'x.png [output]', 'x.png [temp]', ''])(
    'never let the file name %j through to the engine, which would read it',
    async (name) => {
      expect(Object.keys(expectNodeErrors(await proxy.client.submit(loadGraph(name))))).toEqual(['10']);
    },
  );

  it('serve content as bytes with ranges, from Heddle and not from the engine', async () => {
    const { outputs } = await succeeded(pictureGraph({ size: 16 }));
    const { url, id, size_bytes: size } = outputs[0]!;
    expect(url).toBe(`${proxy.url}/api/v2/assets/${id}/content`);
    const part = await proxy.client.content(id, { range: 'bytes=1-3' });
    expect([part.status, part.bytes.toString(), part.headers['content-range']]).toEqual([
      206,
      'PNG',
      `bytes 1-3/${size}`,
    ]);
    const tail = await proxy.client.content(id, { range: 'bytes=-4' });
    expect([tail.status, tail.bytes.length]).toEqual([206, 4]);
    expectRefusal(await proxy.client.content(id, { range: `bytes=${size}-` }), 416, 'range_not_satisfiable');
    const hours = (Date.parse(outputs[0]!.url_expires_at ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it('have no logs, no credits and no word of where the engine is', async () => {
    const job = await succeeded(pictureGraph());
    expect(job.urls.logs).toBeUndefined();
    expectRefusal(await proxy.client.get(`/api/v2/jobs/${job.id}/logs`), 404, 'not_found');
    const answers = [
      await proxy.client.get('/api/v2/jobs'),
      await proxy.client.get('/api/v2/nothing'),
      await proxy.client.job(job.id),
      await proxy.client.submit({ '1': { class_type: 'Nope', inputs: {} } }),
    ];
    const port = new URL(proxy.engine.url).port;
    for (const { bytes, headers } of answers) {
      expect(`${bytes.toString()}${JSON.stringify(headers)}`).not.toMatch(new RegExp(`:${port}\\b`));
    }
  });

  it('are judged by the catalogue of the engine: its refusals come from Heddle, all of them at once', async () => {
    const graph = {
      '1': { class_type: 'EmptyImage', inputs: { width: 0, height: 8, batch_size: 1, color: 0 } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 3] } },
    };
    const errors = expectNodeErrors(await proxy.client.submit(graph));
    expect(Object.keys(errors).sort()).toEqual(['1', '2']);
    expect(await (await fetch(`${proxy.engine.url}/queue`)).json()).toEqual({ queue_running: [], queue_pending: [] });
  });

  async function succeeded(graph: object): Promise<Job> {
    const { id } = await proxy.client.submitted(graph);
    return proxy.client.reached(id, 'succeeded');
  }
});

describe('with HEDDLE_URL_EXPIRY=null', () => {
  const proxy = useServedProxy({ HEDDLE_URL_EXPIRY: 'null' });

  it('outputs of an engine have an address without an expiry', async () => {
    const { id } = await proxy.client.submitted(pictureGraph());
    const { outputs } = await proxy.client.reached(id, 'succeeded');
    expect(outputs[0]!.url_expires_at).toBeNull();
  });
});
