import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EngineFile, EngineOutcome } from '@heddle/engine-port';
import { RecordingObserver, type Graph } from '@heddle/testing-engine';
import { afterEach, describe, expect, it } from 'vitest';
import { BuiltinEngine, type BuiltinEngineOptions } from './index.js';

process.env['HEDDLE_TEST_NODES'] = '1';
const MEBIBYTE = 1024 * 1024;
/** Larger outputs travel as files. */
const INLINE_BYTES = 256 * 1024;
const DEADLINE_MS = 30_000;

describe('the processes of the built-in engine', () => {
  let engine: BuiltinEngine | null = null;
  afterEach(async () => {
    await engine?.close();
    engine = null;
  });
  const start = async (options: BuiltinEngineOptions = {}): Promise<BuiltinEngine> => {
    engine = new BuiltinEngine(options);
    await engine.prestart();
    return engine;
  };

  it('are gone once it is closed, busy ones too', async () => {
    const before = childrenOf(process.pid);
    const busy = await start({ processes: 2 });
    const observer = new RecordingObserver();
    const ending = run(busy, node('HeddleTestSpin'), observer);
    await observer.called('started 7');
    expect(childrenOf(process.pid)).toHaveLength(before.length + 2);
    await busy.close();
    expect(await ending).toMatchObject({ kind: 'lost' });
    expect(childrenOf(process.pid)).toEqual(before);
  });

  it('die with a parent that is killed, even in the middle of an endless loop', async () => {
    const parent = fork(fileURLToPath(new URL('../fixtures/busy-parent.mjs', import.meta.url)), { stdio: 'ignore' });
    await once(parent, 'message');
    const [child] = childrenOf(parent.pid ?? 0);
    expect(child).toBeDefined();
    parent.kill('SIGKILL');
    await until(() => !isAlive(child ?? 0));
  });

  it('end a run as out of memory when the JavaScript heap is exhausted', async () => {
    const small = await start({ heapBytes: 48 * MEBIBYTE });
    const outcome = await run(small, node('HeddleTestMemory', { kind: 'heap' }));
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'out_of_memory',
      nodeId: '7',
      classType: 'HeddleTestMemory',
    });
  });

  it('refuse a picture that is larger than the budget before a pixel of it exists', async () => {
    const small = await start({ pixelBytes: 64 * MEBIBYTE });
    const graph = {
      '1': { class_type: 'EmptyImage', inputs: { width: 16384, height: 16384, batch_size: 4096, color: 1 } },
      '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    };
    expect(await run(small, graph)).toMatchObject({ kind: 'failed', code: 'out_of_memory', nodeId: '1' });
  });

  it('keep their cache after a cancel that the node noticed itself', async () => {
    // It notices at once, and gets the processor later on a busy machine.
    const warm = await start({ cancelGraceMs: 10_000 });
    const graph = { ...picture('kept'), ...node('HeddleTestSleep', { seconds: 60, value: ['1', 0] }) };
    const observer = new RecordingObserver();
    const cancel = new AbortController();
    const ending = run(warm, graph, observer, [], cancel.signal);
    await observer.called('started 7');
    cancel.abort();
    expect(await ending).toEqual({ kind: 'interrupted' });
    const again = new RecordingObserver();
    await run(warm, picture('kept'), again);
    expect(again.calls).toContain('cached 1');
  });

  it('number files of one prefix on, run after run', async () => {
    const warm = await start();
    const observer = new RecordingObserver();
    await run(warm, picture('n', 1), observer);
    await run(warm, picture('n', 2), observer);
    await run(warm, picture('other', 2), observer);
    expect(observer.outputs.map((output) => output.name)).toEqual(['n_00001_.png', 'n_00002_.png', 'other_00001_.png']);
  });

  it('read a file in its place when they get its path', async () => {
    const warm = await start();
    const bytes = await savedPicture(warm);
    const folder = mkdtempSync(join(tmpdir(), 'heddle-spec-'));
    const localPath = join(folder, 'picture.png');
    writeFileSync(localPath, bytes);
    const file: EngineFile = {
      name: 'a.png',
      sizeBytes: bytes.length,
      localPath,
      open: () => Promise.reject(new Error('not needed')),
    };
    expect(await run(warm, loaded('a.png'), new RecordingObserver(), [file])).toEqual({ kind: 'succeeded' });
    rmSync(folder, { recursive: true });
  });

  it('hand large outputs over whole and leave no file of a run behind', async () => {
    const warm = await start();
    const [large, mixed] = [new RecordingObserver(), new RecordingObserver()];
    expect(await run(warm, largeOutput(), large)).toEqual({ kind: 'succeeded' });
    const output = large.outputs[0];
    expect(output?.bytes.length).toBeGreaterThan(INLINE_BYTES);
    expect(output?.bytes.subarray(-8).toString('latin1')).toContain('IEND');
    const bytes = await savedPicture(warm);
    const graph = { ...loaded('a.png'), ...largeOutput() };
    expect(await run(warm, graph, mixed, [streamed('a.png', bytes)])).toEqual({ kind: 'succeeded' });
    expect(mixed.outputs.find(({ nodeId }) => nodeId === output?.nodeId)?.name).toBe(output?.name);
    expect(engineFolders().flatMap((folder) => readdirSync(folder))).toEqual([]);
    await warm.close();
    expect(engineFolders()).toEqual([]);
  });

  it('hold no file open when a file of the run does not open', async () => {
    const warm = await start();
    const away: EngineFile = { name: 'a.png', sizeBytes: 9, open: () => Promise.reject(new Error('assets are away')) };
    await expect(run(warm, loaded('a.png'), new RecordingObserver(), [away])).rejects.toThrow('assets are away');
    const open = readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return []; // The descriptor of this very listing
      }
    });
    expect(open.filter((path) => /heddle-engine-.*\/in-\d/.test(path))).toEqual([]);
  });

  it.each([
    ['no picture', Buffer.from('no picture at all')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['an empty file', Buffer.alloc(0)],
  ])('end a run with an error of the node when a file is %s', async (_, bytes) => {
    const warm = await start();
    const outcome = await run(warm, loaded('a.png'), new RecordingObserver(), [streamed('a.png', bytes)]);
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'node_execution_error',
      nodeId: '1',
      classType: 'LoadImage',
    });
  });

  it('show of a picture that is cut off what is there, and end with an error of the node if nothing is left', async () => {
    const warm = await start();
    const bytes = await savedPicture(warm);
    const cut = (length: number): Promise<EngineOutcome> =>
      run(warm, loaded('a.png'), new RecordingObserver(), [streamed('a.png', bytes.subarray(0, length))]);
    expect(await cut(bytes.length - 20)).toEqual({ kind: 'succeeded' });
    expect(await cut(30)).toMatchObject({ kind: 'failed', code: 'node_execution_error', nodeId: '1' });
  });

  it('end a run with an error of the node when a small file holds a gigantic picture', async () => {
    const warm = await start();
    const bytes = Buffer.from(await savedPicture(warm));
    bytes.writeUInt32BE(400_000, 16);
    bytes.writeUInt32BE(400_000, 20);
    const outcome = await run(warm, loaded('a.png'), new RecordingObserver(), [streamed('a.png', bytes)]);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'node_execution_error', nodeId: '1' });
  });

  it('know nothing of the secrets in the environment of the service', async () => {
    process.env['HEDDLE_SPEC_SECRET'] = 'canary';
    const before = new Set(childrenOf(process.pid));
    await start();
    const [child] = childrenOf(process.pid).filter((pid) => !before.has(pid));
    expect(readFileSync(`/proc/${child}/environ`, 'utf8')).not.toContain('canary');
  });
});

function run(
  engine: BuiltinEngine,
  graph: Graph,
  observer = new RecordingObserver(),
  files: readonly EngineFile[] = [],
  signal = new AbortController().signal,
): Promise<EngineOutcome> {
  const workflow = Buffer.from(JSON.stringify(graph));
  return engine.run({ runId: crypto.randomUUID(), workflow, files }, observer, signal);
}

function node(classType: string, inputs: Graph[string]['inputs'] = {}): Graph {
  return { '7': { class_type: classType, inputs } };
}

function picture(prefix: string, color = 77): Graph {
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: prefix } },
  };
}

function loaded(image: string): Graph {
  return {
    '1': { class_type: 'LoadImage', inputs: { image } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'loaded' } },
  };
}

/** An output too large for a message. */
function largeOutput(): Graph {
  return {
    '11': { class_type: 'EmptyImage', inputs: { width: 9, height: 9, batch_size: 1, color: 0x336699 } },
    '12': {
      class_type: 'ImagePadForOutpaint',
      inputs: { image: ['11', 0], left: 8, top: 0, right: 0, bottom: 8, feathering: 0 },
    },
    '13': {
      class_type: 'ImageScale',
      inputs: { image: ['12', 0], upscale_method: 'bicubic', width: 3000, height: 3000, crop: 'disabled' },
    },
    '14': { class_type: 'SaveImage', inputs: { images: ['13', 0], filename_prefix: 'large' } },
  };
}

function streamed(name: string, bytes: Buffer): EngineFile {
  return { name, sizeBytes: bytes.length, open: async () => Readable.from([bytes], { objectMode: false }) };
}

/** A picture with too many colours to compress well. */
async function savedPicture(engine: BuiltinEngine): Promise<Buffer> {
  const observer = new RecordingObserver();
  await run(
    engine,
    {
      '1': { class_type: 'EmptyImage', inputs: { width: 40, height: 40, batch_size: 1, color: 0x336699 } },
      '2': {
        class_type: 'ImagePadForOutpaint',
        inputs: { image: ['1', 0], left: 8, top: 0, right: 0, bottom: 8, feathering: 4 },
      },
      '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'source' } },
    },
    observer,
  );
  return observer.outputs[0]?.bytes ?? Buffer.alloc(0);
}

function engineFolders(): readonly string[] {
  const mine = readdirSync(tmpdir()).filter((name) => name.startsWith(`heddle-engine-${process.pid}-`));
  return mine.map((name) => join(tmpdir(), name));
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    // It ended between the listing and the reading.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!condition()) {
    if (performance.now() > deadline) expect.fail('the condition was not met in time');
    await delay(20);
  }
}
