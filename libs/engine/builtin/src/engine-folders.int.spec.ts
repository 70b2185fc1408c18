import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineOutcome } from '@heddle/engine-port';
import { RecordingObserver, type Graph } from '@heddle/testing-engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltinEngine, type BuiltinObserver, type BuiltinRun, type RaisedError, type UiOutput } from './index.js';

/** Records the calls for the engine's own protocol. */
class ProtocolObserver extends RecordingObserver implements BuiltinObserver {
  cachedNodes: readonly string[] = [];
  readonly shown = new Map<string, UiOutput>();
  readonly lines: string[] = [];
  raisedError: RaisedError | null = null;

  cached(nodeIds: readonly string[]): void {
    this.cachedNodes = nodeIds;
  }

  executed(nodeId: string, ui: UiOutput): void {
    this.shown.set(nodeId, ui);
  }

  progressText(nodeId: string, text: string): void {
    this.lines.push(`${nodeId}: ${text}`);
  }

  raised(error: RaisedError): void {
    this.raisedError = error;
  }
}

describe('an engine with folders', () => {
  const base = mkdtempSync(join(tmpdir(), 'heddle-spec-'));
  const folders = { input: join(base, 'input'), output: join(base, 'output'), temp: join(base, 'temp') };
  const engine = new BuiltinEngine({ folders });
  beforeAll(async () => {
    for (const folder of Object.values(folders)) mkdirSync(folder);
    copyFileSync(
      fileURLToPath(new URL('../recorded/inputs/grad8x6.png', import.meta.url)),
      join(folders.input, 'g.png'),
    );
    await engine.prestart();
  });
  afterAll(async () => {
    await engine.close();
    rmSync(base, { recursive: true });
  });
  const run = (graph: Graph, observer: ProtocolObserver, more: Partial<BuiltinRun> = {}): Promise<EngineOutcome> =>
    engine.run(
      { runId: crypto.randomUUID(), workflow: Buffer.from(JSON.stringify(graph)), files: [], ...more },
      observer,
      new AbortController().signal,
    );

  it('writes results there, numbered after the existing files, and reports their names again when they are cached', async () => {
    mkdirSync(join(folders.output, 'sub'));
    writeFileSync(join(folders.output, 'sub', 'a_00041_.png'), '');
    const [first, second] = [new ProtocolObserver(), new ProtocolObserver()];
    const graph = saved('g.png', 'sub/a');
    expect(await run(graph, first)).toEqual({ kind: 'succeeded' });
    const ui = { images: [{ filename: 'a_00042_.png', subfolder: 'sub', type: 'output' }] };
    expect(first.shown.get('2')).toEqual(ui);
    expect(first.cachedNodes).toEqual([]);
    expect(first.outputs).toEqual([]);
    expect(await run(graph, second)).toEqual({ kind: 'succeeded' });
    expect(second.cachedNodes).toEqual(['1', '2']);
    expect(second.shown.get('2')).toEqual(ui);
    expect(readdirSync(join(folders.output, 'sub')).sort()).toEqual(['a_00041_.png', 'a_00042_.png']);
  });

  it('reads results back by their annotated names', async () => {
    const [observer, reader] = [new ProtocolObserver(), new ProtocolObserver()];
    await run(saved('g.png', 'back'), observer);
    expect(await run(saved('back_00001_.png [output]', 'again'), reader)).toEqual({ kind: 'succeeded' });
  });

  it('never reads or writes outside of them', async () => {
    writeFileSync(join(base, 'secret.png'), 'secret');
    symlinkSync(join(base, 'secret.png'), join(folders.input, 'link.png'));
    for (const name of ['../secret.png', join(base, 'secret.png'), 'link.png', '', '..', '../output']) {
      const outcome = await run(saved(name, 'x'), new ProtocolObserver());
      expect(outcome).toMatchObject({ kind: 'failed', nodeId: '1' });
      expect(outcome).toHaveProperty('message', expect.stringContaining('No such file'));
    }
    for (const prefix of ['../x', '/tmp/heddle-x', 'a/../../x']) {
      expect(await run(saved('g.png', prefix), new ProtocolObserver())).toMatchObject({ kind: 'failed', nodeId: '2' });
    }
  });

  it('reports a failure with type, inputs and the nodes that ended before', async () => {
    const observer = new ProtocolObserver();
    const graph = {
      '1': { class_type: 'LoadImage', inputs: { image: 'g.png' } },
      '2': { class_type: 'ImageToMask', inputs: { image: ['1', 0], channel: 'alpha' } },
      '3': { class_type: 'MaskPreview', inputs: { mask: ['2', 0] } },
    };
    await run(graph, observer);
    expect(observer.raisedError).toMatchObject({ nodeId: '2', classType: 'ImageToMask', type: 'IndexError' });
    expect(observer.raisedError?.message).toMatch(/^index 3 is out of bounds[^\n]*\n$/);
    expect(observer.raisedError?.currentInputs).toEqual({ image: ['tensor(shape=[1, 6, 8, 3])'], channel: ['alpha'] });
  });

  it('loads a result by its annotated name with the class for it', async () => {
    await run(saved('g.png', 'made'), new ProtocolObserver());
    const graph = {
      '1': { class_type: 'LoadImageOutput', inputs: { image: 'made_00001_.png [output]' } },
      '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    };
    expect(await run(graph, new ProtocolObserver())).toEqual({ kind: 'succeeded' });
  });

  it('shows both sides of a comparison, an empty one too, and previews without text', async () => {
    const observer = new ProtocolObserver();
    const graph = {
      '1': { class_type: 'LoadImage', inputs: { image: 'g.png' } },
      '2': { class_type: 'ImageCompare', inputs: { image_b: ['1', 0], compare_view: '' } },
    };
    expect(await run(graph, observer)).toEqual({ kind: 'succeeded' });
    const filename = expect.stringMatching(/^comfy\.compare\.b_temp_[a-z]{5}_00001_\.png$/) as string;
    const shown = { a_images: [], b_images: [{ filename, subfolder: '', type: 'temp' }] };
    expect(observer.shown.get('2')).toEqual(shown);
  });

  it('runs only the targets and reports progress texts', async () => {
    const observer = new ProtocolObserver();
    const graph = {
      '1': { class_type: 'LoadImage', inputs: { image: 'g.png' } },
      '2': { class_type: 'GetImageSize', inputs: { image: ['1', 0] } },
      '3': { class_type: 'PreviewAny', inputs: { source: ['2', 1] } },
      '4': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    };
    expect(await run(graph, observer, { targets: ['3'] })).toEqual({ kind: 'succeeded' });
    expect([...observer.shown]).toEqual([['3', { text: ['6'] }]]);
    expect(observer.lines).toEqual(['2: width: 8, height: 6\n batch size: 1']);
  });
});

function saved(image: string, prefix: string): Graph {
  return {
    '1': { class_type: 'LoadImage', inputs: { image } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: prefix } },
  };
}
