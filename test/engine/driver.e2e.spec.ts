import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ComfyUiEngine } from '@heddle/engine-comfyui';
import type { EngineOutcome, EngineRun } from '@heddle/engine-port';
import { RecordingObserver } from '@heddle/testing-engine';
import { ENGINE_URL } from './real-engine.js';

type Graph = Readonly<
  Record<string, { readonly class_type: string; readonly inputs: Readonly<Record<string, unknown>> }>
>;

describe('the driver on a real engine', () => {
  const engine = new ComfyUiEngine({ url: ENGINE_URL });
  beforeAll(async () => {
    await engine.whenReady(AbortSignal.timeout(20_000));
    await engine.objectInfo();
  });
  afterAll(() => engine.close());

  const run = (
    graph: Graph,
    observer = new RecordingObserver(),
    parts: Partial<EngineRun> & { signal?: AbortSignal } = {},
  ): Promise<EngineOutcome> => {
    const { signal = new AbortController().signal, ...request } = parts;
    const workflow = Buffer.from(JSON.stringify(graph));
    return engine.run({ runId: crypto.randomUUID(), workflow, files: [], ...request }, observer, signal);
  };
  const colour = (): number => Math.floor(Math.random() * 0xffffff);
  const empty = (size: number, batch = 1) => ({
    class_type: 'EmptyImage',
    inputs: { width: size, height: size, batch_size: batch, color: colour() },
  });

  it('reports its version', () => {
    expect(engine.environment).toMatch(/^comfyui\/\d+\.\d+/);
  });

  it('ends as out of memory when a graph needs more than there is', async () => {
    expect(await run({ '1': empty(16_384, 4096), '2': preview('1') })).toMatchObject({
      kind: 'failed',
      code: 'out_of_memory',
      nodeId: '1',
      classType: 'EmptyImage',
    });
    expect(await run({ '1': empty(8), '2': preview('1') })).toEqual({ kind: 'succeeded' });
  });

  it('reports the steps of a node, its previews, and pictures that come over the socket alone', async ({ skip }) => {
    skip(!(await engine.objectInfo()).includes('"SaveImageWebsocket"'), 'the engine has no such node');
    const observer = new RecordingObserver();
    const graph = { '1': empty(16, 3), '2': { class_type: 'SaveImageWebsocket', inputs: { images: ['1', 0] } } };
    expect(await run(graph, observer)).toEqual({ kind: 'succeeded' });
    expect(observer.calls.filter((call) => call === 'preview 2')).toHaveLength(3);
    expect(observer.outputs.map(({ key, contentType }) => `${key} ${contentType}`)).toEqual([
      '2/images/0 image/png',
      '2/images/1 image/png',
      '2/images/2 image/png',
    ]);
  });

  it('gives animated pictures, sound, latents and text', async () => {
    const observer = new RecordingObserver();
    const graph: Graph = {
      '1': empty(16, 2),
      '2': {
        class_type: 'SaveAnimatedWEBP',
        inputs: { images: ['1', 0], filename_prefix: 'd', fps: 6, lossless: true, quality: 80, method: 'default' },
      },
      '3': { class_type: 'EmptyAudio', inputs: { duration: 0.1, sample_rate: 8000, channels: 1 } },
      '4': { class_type: 'SaveAudio', inputs: { audio: ['3', 0], filename_prefix: 'audio/d' } },
      '5': { class_type: 'EmptyLatentImage', inputs: { width: 16, height: 16, batch_size: 1 } },
      '6': { class_type: 'SaveLatent', inputs: { samples: ['5', 0], filename_prefix: 'latents/d' } },
      '7': { class_type: 'PreviewAny', inputs: { source: 'seven' } },
    };
    expect(await run(graph, observer)).toEqual({ kind: 'succeeded' });
    const kinds = new Map(observer.outputs.map(({ nodeId, type, contentType }) => [nodeId, `${type} ${contentType}`]));
    expect(Object.fromEntries(kinds)).toEqual({
      '2': 'image image/webp',
      '4': 'audio audio/flac',
      '6': 'latent application/octet-stream',
      '7': 'text text/plain; charset=utf-8',
    });
    expect(observer.outputs).toHaveLength(4);
  });

  it('cancels a run that waits without harm to the one that runs', async () => {
    const [first, cancel] = [new RecordingObserver(), new AbortController()];
    const running = run(chain(4, colour()), first);
    await first.called('started 2');
    const waiting = run(chain(4, colour()), new RecordingObserver(), { signal: cancel.signal });
    cancel.abort();
    expect(await waiting).toEqual({ kind: 'interrupted' });
    expect(await running).toEqual({ kind: 'succeeded' });
  });

  it('serves two drivers at once, each with its own runs', async () => {
    const other = new ComfyUiEngine({ url: ENGINE_URL });
    try {
      const observers = [new RecordingObserver(), new RecordingObserver()];
      const graph = (): Graph => ({ '1': empty(8), '2': preview('1') });
      const theirs = Buffer.from(JSON.stringify(graph()));
      const outcomes = await Promise.all([
        run(graph(), observers[0]),
        other.run(
          { runId: crypto.randomUUID(), workflow: theirs, files: [] },
          observers[1] ?? new RecordingObserver(),
          new AbortController().signal,
        ),
      ]);
      expect(outcomes).toEqual([{ kind: 'succeeded' }, { kind: 'succeeded' }]);
      for (const observer of observers) expect(observer.outputs).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it("passes the engine's refusal on with node and reason", async () => {
    const outcome = await run({
      '1': { class_type: 'EmptyImage', inputs: { width: 0, height: 8 } },
      '2': preview('1'),
    });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'engine_error', nodeId: '1', classType: 'EmptyImage' });
    expect(outcome).toHaveProperty('message', expect.stringMatching(/width: value_below_min/));
    expect(outcome).toHaveProperty('message', expect.stringMatching(/batch_size: missing_input/));
  });

  it('shows credentials nowhere', async () => {
    const canary = `canary-${crypto.randomUUID()}`;
    const observer = new RecordingObserver();
    const credentials = { apiKey: { reveal: () => canary }, authToken: { reveal: () => canary } };
    expect(await run({ '1': empty(8), '2': preview('1') }, observer, { credentials })).toEqual({ kind: 'succeeded' });
    for (const { bytes } of observer.outputs) expect(bytes.includes(canary)).toBe(false);
    expect(await (await fetch(`${ENGINE_URL}/history?max_items=5`)).text()).not.toContain(canary);
  });

  it('takes a file of 60 MiB as a stream', async () => {
    const piece = Buffer.alloc(1024 * 1024, 7);
    const hash = crypto.randomUUID().replaceAll('-', '').repeat(2);
    const file = {
      name: `heddle/${hash}.bin`,
      sizeBytes: piece.length * 60,
      open: async () =>
        Readable.from(
          Array.from({ length: 60 }, () => piece),
          { objectMode: false },
        ),
    };
    const outcome = await run({ '1': empty(8), '2': preview('1') }, new RecordingObserver(), { files: [file] });
    expect(outcome).toEqual({ kind: 'succeeded' });
  });
});

function preview(source: string): Graph[string] {
  return { class_type: 'PreviewImage', inputs: { images: [source, 0] } };
}

function chain(length: number, color: number): Graph {
  const graph: Record<string, Graph[string]> = {
    '1': { class_type: 'EmptyImage', inputs: { width: 700, height: 700, batch_size: 1, color } },
  };
  for (let i = 2; i < length + 2; i += 1) {
    graph[i] = { class_type: 'ImageBlur', inputs: { image: [String(i - 1), 0], blur_radius: 12, sigma: 1 + i / 100 } };
  }
  graph['99'] = preview(String(length + 1));
  return graph;
}
