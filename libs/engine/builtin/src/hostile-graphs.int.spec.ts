import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import type { EngineFile, EngineOutcome } from '@heddle/engine-port';
import { RecordingObserver, type Graph } from '@heddle/testing-engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngChunk, PNG_SIGNATURE } from './images/encode-png.js';
import { BuiltinEngine } from './index.js';

const MEBIBYTE = 1024 * 1024;
const engine = new BuiltinEngine({ pixelBytes: 256 * MEBIBYTE, cacheBytes: 64 * MEBIBYTE });
beforeAll(() => engine.prestart());
afterAll(() => engine.close());

describe('a graph built to hurt', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('of the class %s is no graph', async (name) => {
    const graph = { '1': node(name, {}), '2': preview('1') };
    expect(await run(graph)).toMatchObject({ kind: 'failed', code: 'engine_error' });
    await serves();
  });

  it('with node ids such as __proto__ runs', async () => {
    const graph = `{"__proto__": {"class_type": "PrimitiveString", "inputs": {"value": "x"}},
      "constructor": {"class_type": "PreviewAny", "inputs": {"source": ["__proto__", 0]}}}`;
    const observer = new RecordingObserver();
    expect(await runText(graph, observer)).toEqual({ kind: 'succeeded' });
    expect(observer.outputs.map(({ nodeId, bytes }) => [nodeId, bytes.toString()])).toEqual([['constructor', 'x']]);
  });

  it('of 5,000 nodes in one chain runs, and again from the cache', async () => {
    const graph: Record<string, Graph[string]> = { n0: node('PrimitiveString', { value: 'x' }) };
    for (let i = 1; i < 5000; i += 1) {
      graph[`n${i}`] = node('StringConcatenate', { string_a: [`n${i - 1}`, 0], string_b: '', delimiter: '' });
    }
    graph['end'] = preview('n4999');
    expect(await run(graph)).toEqual({ kind: 'succeeded' });
    const again = new RecordingObserver();
    expect(await run(graph, again)).toEqual({ kind: 'succeeded' });
    expect(again.calls).toContain('cached n2500');
  });

  it('with a text of 10 MiB runs', async () => {
    const value = `${' '.repeat(10 * MEBIBYTE)}x`;
    const graph = {
      '1': node('StringTrim', { string: value, mode: 'Both' }),
      '2': preview('1'),
      '3': node('StringLength', { string: value }),
      '4': preview('3'),
    };
    const observer = new RecordingObserver();
    expect(await run(graph, observer)).toEqual({ kind: 'succeeded' });
    const texts = observer.outputs.map((output) => output.bytes.toString()).sort();
    expect(texts).toEqual([String(10 * MEBIBYTE + 1), 'x'].sort());
  });

  it.each(['NaN', 'Infinity', '-Infinity', '1e999'])('with the number %s ends in an error', async (number) => {
    const graph = `{"1": {"class_type": "EmptyImage", "inputs": {"width": ${number}, "height": 8, "batch_size": 1, "color": 0}},
      "2": {"class_type": "PreviewImage", "inputs": {"images": ["1", 0]}}}`;
    expect(await runText(graph)).toMatchObject({ kind: 'failed', code: 'engine_error' });
    await serves();
  });

  it.each([
    ['a picture of 2^31 pixels', node('EmptyImage', { width: 16384, height: 16384, batch_size: 8, color: 1 })],
    [
      'a latent of terabytes',
      node('EmptyHunyuanLatentVideo', { width: 16384, height: 16384, length: 16384, batch_size: 4096 }),
    ],
    ['a sound of centuries', node('EmptyAudio', { duration: 1e18, sample_rate: 192000, channels: 2 })],
  ])('that asks for %s is out of memory', async (_, source) => {
    const graph = { '1': source, '2': preview('1') };
    expect(await run(graph)).toMatchObject({ kind: 'failed', code: 'out_of_memory', nodeId: '1' });
    await serves();
  });

  it('that multiplies its pictures is out of memory', async () => {
    const graph: Record<string, Graph[string]> = {
      n0: node('EmptyImage', { width: 64, height: 64, batch_size: 1, color: 1 }),
    };
    for (let i = 1; i <= 9; i += 1) graph[`n${i}`] = node('RepeatImageBatch', { image: [`n${i - 1}`, 0], amount: 16 });
    graph['end'] = node('PreviewImage', { images: ['n9', 0] });
    expect(await run(graph)).toMatchObject({ kind: 'failed', code: 'out_of_memory' });
    await serves();
  });

  it('whose file of some kilobytes holds a picture of gigapixels is refused', async () => {
    const side = 60_000;
    const head = Buffer.alloc(13);
    head.writeUInt32BE(side, 0);
    head.writeUInt32BE(side, 4);
    head.set([8, 2, 0, 0, 0], 8);
    const bytes = Buffer.concat([
      PNG_SIGNATURE,
      pngChunk('IHDR', head),
      pngChunk('IDAT', deflateSync(Buffer.alloc(MEBIBYTE))),
      pngChunk('IEND', Buffer.alloc(0)),
    ]);
    expect(await run(loaded(), new RecordingObserver(), [file(bytes)])).toMatchObject({ kind: 'failed', nodeId: '1' });
    await serves();
  });

  it('whose picture is cut off shows what is there, or ends in an error of the node', async () => {
    const whole = readFileSync(new URL('../recorded/inputs/noise64x48.png', import.meta.url));
    const cut = (length: number): Promise<EngineOutcome> =>
      run(loaded(), new RecordingObserver(), [file(whole.subarray(0, length))]);
    for (const length of [8, 20, 33, 40]) {
      expect(await cut(length)).toMatchObject({ kind: 'failed', code: 'node_execution_error', nodeId: '1' });
    }
    for (const length of [60, whole.length >> 1, whole.length - 20]) {
      expect(await cut(length)).toEqual({ kind: 'succeeded' });
    }
    await serves();
  });

  it('whose picture is cut off and says to be gigantic ends in an error of the node', async () => {
    const bytes = Buffer.from(readFileSync(new URL('../recorded/inputs/noise64x48.png', import.meta.url)));
    bytes.writeUInt32BE(2 ** 31 - 1, 16);
    bytes.writeUInt32BE(2 ** 31 - 1, 20);
    const outcome = await run(loaded(), new RecordingObserver(), [file(bytes.subarray(0, -20))]);
    expect(outcome).toMatchObject({ kind: 'failed', nodeId: '1' });
    await serves();
  });

  it('whose regular expression goes back and forth for ever ends in an error of the node', async () => {
    const inputs = { string: `${'a'.repeat(64)}!`, regex_pattern: '^(a+)+$', case_insensitive: false };
    const graph = { '1': node('RegexMatch', { ...inputs, multiline: false, dotall: false }), '2': preview('1') };
    const outcome = await run(graph);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'node_execution_error', nodeId: '1' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('took longer than 5 s'));
    await serves();
  });

  it('with a template or an expression that would fill the memory ends in an error of the node', async () => {
    const texts = { '1': node('StringFormat', { f_string: '{a:>999999999999}', 'values.a': 'x' }), '2': preview('1') };
    expect(await run(texts)).toMatchObject({ kind: 'failed', code: 'node_execution_error', nodeId: '1' });
    for (const expression of ['9**9**9', `${'('.repeat(5000)}1`, '(2**4000)**4000']) {
      const graph = { '1': node('ComfyMathExpression', { expression, 'values.a': 1 }), '2': preview('1') };
      expect(await run(graph)).toMatchObject({ kind: 'failed', code: 'node_execution_error', nodeId: '1' });
    }
    await serves();
  });
});

function node(classType: string, inputs: Graph[string]['inputs']): Graph[string] {
  return { class_type: classType, inputs };
}

function preview(source: string): Graph[string] {
  return node('PreviewAny', { source: [source, 0] });
}

function loaded(): Graph {
  return { '1': node('LoadImage', { image: 'a.png' }), '2': node('PreviewImage', { images: ['1', 0] }) };
}

function file(bytes: Buffer): EngineFile {
  return { name: 'a.png', sizeBytes: bytes.length, open: async () => Readable.from([bytes], { objectMode: false }) };
}

/** The next run works, in the same engine. */
async function serves(): Promise<void> {
  const graph = {
    '1': node('EmptyImage', { width: 8, height: 8, batch_size: 1, color: 1 }),
    '2': node('PreviewImage', { images: ['1', 0] }),
  };
  expect(await run(graph)).toEqual({ kind: 'succeeded' });
}

function run(
  graph: Graph,
  observer = new RecordingObserver(),
  files: readonly EngineFile[] = [],
): Promise<EngineOutcome> {
  return runText(JSON.stringify(graph), observer, files);
}

function runText(
  text: string,
  observer = new RecordingObserver(),
  files: readonly EngineFile[] = [],
): Promise<EngineOutcome> {
  const workflow = Buffer.from(text);
  return engine.run({ runId: crypto.randomUUID(), workflow, files }, observer, new AbortController().signal);
}
