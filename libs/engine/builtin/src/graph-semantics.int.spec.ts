import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { EngineFile, EngineOutcome } from '@heddle/engine-port';
import { RecordingObserver, type Graph } from '@heddle/testing-engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltinEngine } from './index.js';

const engine = new BuiltinEngine();
beforeAll(() => engine.prestart());
afterAll(() => engine.close());

describe('a graph in the built-in engine', () => {
  it('computes only the side of a switch that is chosen', async () => {
    const observer = new RecordingObserver();
    const graph = {
      '1': primitive('yes'),
      '2': primitive('no'),
      '3': { class_type: 'ComfySwitchNode', inputs: { switch: true, on_false: ['2', 0], on_true: ['1', 0] } },
      '4': { class_type: 'PreviewAny', inputs: { source: ['3', 0] } },
    };
    expect(await run(graph, observer)).toEqual({ kind: 'succeeded' });
    expect(observer.calls.filter((call) => call.endsWith(' 2'))).toEqual([]);
    expect(observer.outputs.map((output) => output.bytes.toString())).toEqual(['yes']);
  });

  it('runs a node once per item of a list and numbers its outputs on', async () => {
    const observer = new RecordingObserver();
    const graph = {
      ...empty(3),
      '2': { class_type: 'RebatchImages', inputs: { images: ['1', 0], batch_size: 2 } },
      '3': { class_type: 'PreviewImage', inputs: { images: ['2', 0] } },
    };
    expect(await run(graph, observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs.map((output) => output.key)).toEqual(['3/images/0', '3/images/1', '3/images/2']);
    expect(observer.calls.filter((call) => call === 'started 3')).toHaveLength(1);
    const numbers = observer.outputs.map((output) => /_(\d+)_\.png$/.exec(output.name)?.[1]);
    expect(numbers).toEqual(['00001', '00002', '00003']);
  });

  it('says so when a node needs a model', async () => {
    const graph = {
      '1': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'x.safetensors' } },
      '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
    };
    const outcome = await run(graph);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'node_execution_error', nodeId: '1' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('CheckpointLoaderSimple needs models'));
  });

  it('fails if a constant is given for a picture', async () => {
    const graph = { '2': { class_type: 'PreviewImage', inputs: { images: 'none' } } };
    expect(await run(graph)).toMatchObject({ kind: 'failed', code: 'node_execution_error', nodeId: '2' });
  });

  it('writes the coerced graph with the hash of its files into saved pictures, as Python writes JSON', async () => {
    const bytes = readFileSync(new URL('../recorded/inputs/grad8x6.png', import.meta.url));
    const file: EngineFile = {
      name: 'grad.png',
      sizeBytes: bytes.length,
      open: async () => Readable.from([bytes], { objectMode: false }),
    };
    const observer = new RecordingObserver();
    const graph = {
      '1': { class_type: 'LoadImage', inputs: { image: 'grad.png' }, _meta: { title: 'é' } },
      '2': { class_type: 'ImageScaleBy', inputs: { image: ['1', 0], upscale_method: 'area', scale_by: '2' } },
      '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 5 } },
    };
    expect(await run(graph, observer, [file])).toEqual({ kind: 'succeeded' });
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(promptOf(observer.outputs[0]?.bytes)).toBe(
      '{"1": {"class_type": "LoadImage", "inputs": {"image": "grad.png"}, "_meta": {"title": "\\u00e9"}, ' +
        `"is_changed": ["${hash}"]}, ` +
        '"2": {"class_type": "ImageScaleBy", "inputs": {"image": ["1", 0], "upscale_method": "area", "scale_by": 2.0}}, ' +
        '"3": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "5"}}}',
    );
  });

  it('gives a cached picture its old name but never the text of another graph', async () => {
    const [first, second] = [new RecordingObserver(), new RecordingObserver()];
    const saved = {
      ...empty(1),
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'shared' } },
    };
    await run({ ...saved, '8': { class_type: 'PreviewAny', inputs: { source: 'secret of the first' } } }, first);
    await run(saved, second);
    expect(second.calls).toContain('cached 2');
    const [before, after] = [first.outputs.find((o) => o.nodeId === '2'), second.outputs[0]];
    expect(after?.name).toBe(before?.name);
    expect(promptOf(before?.bytes)).toContain('secret of the first');
    expect(promptOf(after?.bytes)).not.toContain('secret');
  });

  it('runs a chain of 2,000 nodes', async () => {
    const graph: Record<string, Graph[string]> = { ...empty(1) };
    const length = 2000;
    for (let i = 2; i <= length; i += 1) {
      graph[i] = { class_type: 'ImageFlip', inputs: { image: [String(i - 1), 0], flip_method: 'x-axis: vertically' } };
    }
    graph['end'] = { class_type: 'PreviewImage', inputs: { images: [String(length), 0] } };
    expect(await run(graph)).toEqual({ kind: 'succeeded' });
  });
});

function run(
  graph: Graph,
  observer = new RecordingObserver(),
  files: readonly EngineFile[] = [],
): Promise<EngineOutcome> {
  const workflow = Buffer.from(JSON.stringify(graph));
  return engine.run({ runId: crypto.randomUUID(), workflow, files }, observer, new AbortController().signal);
}

function primitive(value: string): Graph[string] {
  return { class_type: 'PrimitiveString', inputs: { value } };
}

function empty(batch: number): Graph {
  return { '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: batch, color: 255 } } };
}

/** The text of a PNG's chunk `prompt`. */
function promptOf(png: Buffer | undefined): string | null {
  const at = png?.indexOf('tEXtprompt\0', 0, 'latin1') ?? -1;
  if (!png || at < 0) return null;
  const length = png.readUInt32BE(at - 4);
  return png.toString('latin1', at + 4 + 'prompt\0'.length, at + 4 + length);
}
