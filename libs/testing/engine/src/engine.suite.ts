import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, EngineFile, EngineOutcome, EngineRun } from '@heddle/engine-port';
import { RecordingObserver } from './recording-observer.js';

/** An engine under test and its capabilities. */
export interface EngineSubject {
  /** Starts the engine; the suite closes it. */
  readonly start: () => Promise<Engine>;
  /** Maximum concurrent runs. */
  readonly concurrency: number;
  /** Maximum milliseconds to cancel within a node, without pauses of the machine. */
  readonly cancelWithinMs: number;
  /** False: it may drop node results between two runs; otherwise it keeps them. */
  readonly keepsResults?: boolean;
  /** Harmful graphs, if the engine has nodes for them. */
  readonly faults?: { readonly crash: Graph; readonly outOfMemory: Graph; readonly endless: Graph };
}

export type Graph = Readonly<Record<string, { class_type: string; inputs: Readonly<Record<string, unknown>> }>>;

/** Red ramp over columns, green over rows: 8 x 6 pixels, RGB. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAKUlEQVR4nGNkYGBQwYZYGIwZGBjYMRFcgg8NIUuIIiM0CRk4wpRQhiAAP6oEZGOgXHwAAAAASUVORK5CYII=',
  'base64',
);
let lastColour = 0;

/** The contract of the port, for every implementation. */
export function describeEngine(name: string, subject: EngineSubject): void {
  describe(`the engine port on ${name}`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await subject.start();
    });
    afterAll(() => engine.close());
    const run = (
      graph: Graph | string,
      observer = new RecordingObserver(),
      parts: RunParts = {},
    ): Promise<EngineOutcome> => runOn(engine, graph, observer, parts);

    /** Cancels a run within a node. If that takes too long, the machine may have paused, so it tries again. */
    const stops = async (graph: () => Graph, node: string): Promise<void> => {
      const took: number[] = [];
      do {
        const observer = new RecordingObserver();
        const cancel = new AbortController();
        const ending = run(graph(), observer, { signal: cancel.signal });
        await observer.called(`started ${node}`);
        const cancelledAt = performance.now();
        cancel.abort();
        expect(await ending).toEqual({ kind: 'interrupted' });
        took.push(performance.now() - cancelledAt);
        const reported = observer.calls.length;
        expect(await run(savedBatch(1))).toEqual({ kind: 'succeeded' });
        expect(observer.calls).toHaveLength(reported);
      } while (took.length < 5 && Math.min(...took) >= subject.cancelWithinMs);
      expect(Math.min(...took)).toBeLessThan(subject.cancelWithinMs);
    };

    it('returns its classes as the object_info document', async () => {
      const document: unknown = JSON.parse(await engine.objectInfo());
      expect(document).toHaveProperty('SaveImage.output_node', true);
      expect(document).toHaveProperty('EmptyImage.output', ['IMAGE']);
    });

    it('offers every output with its bytes, in the order in which they appear, before the run ends', async () => {
      const observer = new RecordingObserver();
      expect(await run(savedBatch(3), observer)).toEqual({ kind: 'succeeded' });
      expect(observer.outputs.map((output) => output.key)).toEqual(['2/images/0', '2/images/1', '2/images/2']);
      for (const output of observer.outputs) {
        expect(output).toMatchObject({ nodeId: '2', type: 'image', contentType: 'image/png' });
        expect(output.bytes.subarray(1, 4).toString()).toBe('PNG');
        if (output.sizeBytes !== null) expect(output.bytes).toHaveLength(output.sizeBytes);
      }
      expect(new Set(observer.outputs.map((output) => output.name)).size).toBe(3);
    });

    it('does not offer the next output before the last was taken', async () => {
      let open = 0;
      const observer = new RecordingObserver(async () => {
        open += 1;
        await new Promise((resolve) => setImmediate(resolve));
        expect(open).toBe(1);
        open -= 1;
      });
      expect(await run(savedBatch(4), observer)).toEqual({ kind: 'succeeded' });
      expect(observer.outputs).toHaveLength(4);
    });

    it('reports each node when it starts and when it has ended', async () => {
      const observer = new RecordingObserver();
      await run(savedBatch(1), observer);
      const order = ['started 1', 'finished 1', 'started 2', 'finished 2'].map((call) => observer.calls.indexOf(call));
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(order).not.toContain(-1);
      for (const { startedAt, endedAt } of observer.finished) {
        expect(new Date(startedAt).toISOString()).toBe(startedAt);
        expect(endedAt >= startedAt).toBe(true);
      }
    });

    it('reports its log while a run has the graph, to an observer that keeps it', async () => {
      const observer = new RecordingObserver().keepingLog();
      const graph = { '1': { class_type: 'HeddleTestLog', inputs: { text: 'of the engine', lines: 3 } } };
      expect(await run(graph, observer)).toEqual({ kind: 'succeeded' });
      expect(observer.logged).toContain('1 of the engine\n2 of the engine\n3 of the engine\n');
    });

    it('gives string values as text outputs and keeps integers that doubles cannot hold', async () => {
      const observer = new RecordingObserver();
      const graph =
        '{"9":{"class_type":"PrimitiveInt","inputs":{"value":9007199254740993}},"10":{"class_type":"PreviewAny","inputs":{"source":["9",0]}}}';
      expect(await run(graph, observer)).toEqual({ kind: 'succeeded' });
      expect(observer.outputs).toHaveLength(1);
      expect(observer.outputs[0]).toMatchObject({ type: 'text', contentType: 'text/plain; charset=utf-8' });
      expect(observer.outputs[0]?.name).toMatch(/^10_\d+\.txt$/);
      expect(observer.outputs[0]?.bytes.toString()).toBe('9007199254740993');
    });

    it('reuses the result of an equal graph and still offers its outputs', async () => {
      const graph = savedBatch(2);
      const [first, second] = [new RecordingObserver(), new RecordingObserver()];
      await run(graph, first);
      expect(await run(graph, second)).toEqual({ kind: 'succeeded' });
      expect(second.outputs).toHaveLength(first.outputs.length);
      if (subject.keepsResults === false) return;
      expect(second.calls).toEqual(expect.arrayContaining(['cached 1', 'cached 2']));
      expect(second.outputs).toEqual(first.outputs);
    });

    it('sees the files of its run under their names', async () => {
      const observer = new RecordingObserver();
      expect(await run(loadAndSave(), observer, { files: [pictureFile()] })).toEqual({ kind: 'succeeded' });
      expect(observer.outputs).toHaveLength(1);
    });

    it('fails with node, class and message when a node refuses its inputs, and keeps earlier outputs', async () => {
      const observer = new RecordingObserver();
      const outcome = await run(partlyFailing(), observer);
      expect(outcome).toMatchObject({
        kind: 'failed',
        code: 'node_execution_error',
        nodeId: '2',
        classType: 'ImageToMask',
      });
      expect(outcome).toHaveProperty('message', expect.stringContaining('index 3 is out of bounds'));
      expect(JSON.stringify(outcome)).not.toMatch(/\/(?:work|home|root|tmp|usr|node_modules)\//);
      expect(observer.outputs.map((output) => output.nodeId)).toEqual(['4']);
    });

    it.each(['{', '[]', '{}', '{"1":{"class_type":"__proto__","inputs":{}}}', '{"constructor":1}'])(
      'fails on %s, which is no graph, and goes on',
      async (text) => {
        expect(await run(text)).toMatchObject({ kind: 'failed', code: 'engine_error' });
        expect(await run(savedBatch(1))).toEqual({ kind: 'succeeded' });
      },
    );

    it('does not begin a run that was cancelled before', async () => {
      const observer = new RecordingObserver();
      expect(await run(savedBatch(1), observer, { signal: AbortSignal.abort() })).toEqual({ kind: 'interrupted' });
      expect(observer.calls).toEqual([]);
    });

    it('stops in the middle of a long graph, reports nothing more, and runs the next one', async () => {
      await stops(longGraph, '2');
    });

    it.each([1, 2, 3])('has all its outputs or did not succeed when it is cancelled with output %d', async (last) => {
      for (const pauseMs of [0, 0, 1, 5]) {
        const cancel = new AbortController();
        let taken = 0;
        const observer = new RecordingObserver(async () => {
          taken += 1;
          if (taken === last) cancel.abort();
          if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        });
        const { kind } = await run(savedBatch(3), observer, { signal: cancel.signal });
        expect(kind === 'interrupted' || (kind === 'succeeded' && observer.outputs.length === 3)).toBe(true);
      }
    });

    it('reuses results of the same account, and never those of another', async () => {
      const graph = savedBatch(1);
      const cachedFor = async (account: string): Promise<boolean> => {
        const observer = new RecordingObserver();
        expect(await run(graph, observer, { account })).toEqual({ kind: 'succeeded' });
        return observer.calls.some((call) => call.startsWith('cached'));
      };
      expect(await cachedFor('account-1')).toBe(false);
      if (subject.keepsResults !== false) expect(await cachedFor('account-1')).toBe(true);
      const others = Array.from({ length: 4 }, (_, index) => cachedFor(`account-${index + 1}`));
      expect((await Promise.all(others)).slice(1)).toEqual([false, false, false]);
    });

    it('serves as many runs at once as it says', async () => {
      const runs = Array.from({ length: subject.concurrency * 2 }, () => run(savedBatch(1)));
      for (const outcome of await Promise.all(runs)) expect(outcome).toEqual({ kind: 'succeeded' });
    });

    const { faults } = subject;
    if (faults === undefined) return;

    it('is lost when it crashes, and the next run works', async () => {
      expect(await run(faults.crash)).toMatchObject({ kind: 'lost' });
      expect(await run(savedBatch(1))).toEqual({ kind: 'succeeded' });
    });

    it('fails as out of memory when memory is exhausted, and the next run works', async () => {
      expect(await run(faults.outOfMemory)).toMatchObject({ kind: 'failed', code: 'out_of_memory' });
      expect(await run(savedBatch(1))).toEqual({ kind: 'succeeded' });
    });

    it('can be cancelled in an endless loop, and the next run works', async () => {
      await stops(() => faults.endless, Object.keys(faults.endless)[0]!);
    });
  });
}

interface RunParts {
  readonly files?: readonly EngineFile[];
  readonly signal?: AbortSignal;
  readonly account?: string;
}

function runOn(
  engine: Engine,
  graph: Graph | string,
  observer: RecordingObserver,
  parts: RunParts,
): Promise<EngineOutcome> {
  const text = typeof graph === 'string' ? graph : JSON.stringify(graph);
  const { files = [], account } = parts;
  const request: EngineRun = { runId: crypto.randomUUID(), account, workflow: Buffer.from(text), files };
  return engine.run(request, observer, parts.signal ?? new AbortController().signal);
}

/** Each call returns a colour not used before in this process, so that nothing is cached. */
function newColour(): number {
  lastColour += 1;
  return (lastColour * 7919) % 0xffffff;
}

function savedBatch(batch: number): Graph {
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 8, batch_size: batch, color: newColour() } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: `conformance-${lastColour}` } },
  };
}

function loadAndSave(): Graph {
  return {
    '1': { class_type: 'LoadImage', inputs: { image: pictureFile().name } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: `conformance-load-${newColour()}` } },
  };
}

function partlyFailing(): Graph {
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: newColour() } },
    '4': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: `conformance-fail-${lastColour}` } },
    '2': { class_type: 'ImageToMask', inputs: { image: ['1', 0], channel: 'alpha' } },
    '3': { class_type: 'MaskToImage', inputs: { mask: ['2', 0] } },
    '5': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'conformance-never' } },
  };
}

/** Longer than a machine pauses between two lines of a test. */
function longGraph(): Graph {
  const graph: Record<string, Graph[string]> = {
    '1': { class_type: 'EmptyImage', inputs: { width: 1500, height: 1500, batch_size: 1, color: newColour() } },
  };
  const blurs = 14;
  for (let i = 2; i < blurs + 2; i += 1) {
    const inputs = { image: [String(i - 1), 0], blur_radius: 31, sigma: 1 + i / 10 };
    graph[i] = { class_type: 'ImageBlur', inputs };
  }
  graph['99'] = {
    class_type: 'SaveImage',
    inputs: { images: [String(blurs + 1), 0], filename_prefix: 'conformance-long' },
  };
  return graph;
}

function pictureFile(): EngineFile {
  return {
    name: 'heddle/1d0e1a3b1d0e1a3b1d0e1a3b1d0e1a3b1d0e1a3b1d0e1a3b1d0e1a3b1d0e1a3b.png',
    sizeBytes: PICTURE.length,
    open: async () => Readable.from([PICTURE], { objectMode: false }),
  };
}
