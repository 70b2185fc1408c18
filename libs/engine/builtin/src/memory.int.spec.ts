import { readdirSync, readFileSync } from 'node:fs';
import { RecordingObserver, type Graph } from '@heddle/testing-engine';
import { describe, expect, it } from 'vitest';
import { BuiltinEngine } from './index.js';

const MEBIBYTE = 1024 * 1024;
const FACTOR = 1.5;
const BASE_BYTES = 150 * MEBIBYTE;

/** A graph and how many pixels (three channels) the results of its nodes hold together. */
interface Heavy {
  readonly graph: Graph;
  readonly pixels: number;
}

const resizes: Heavy = {
  graph: {
    '1': empty(4096, 1),
    '2': scaled('1', 2048, 'lanczos'),
    '3': scaled('1', 3000, 'bicubic'),
    ...shown(['2', '3']),
  },
  pixels: 4096 ** 2 + 2048 ** 2 + 3000 ** 2,
};

const filters: Heavy = {
  graph: {
    '1': empty(3000, 2),
    '2': { class_type: 'ImageBlur', inputs: { image: ['1', 0], blur_radius: 9, sigma: 1 } },
    '3': {
      class_type: 'ImageBlend',
      inputs: { image1: ['1', 0], image2: ['2', 0], blend_factor: 0.5, blend_mode: 'screen' },
    },
    ...shown(['3']),
  },
  pixels: 3 * 3000 ** 2,
};

const chain: Heavy = {
  graph: {
    '0': empty(2048, 3),
    ...Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [
        String(i + 1),
        { class_type: 'ImageInvert', inputs: { image: [String(i), 0] } },
      ]),
    ),
    ...shown(['10']),
  },
  pixels: 11 * 2048 ** 2,
};

// The kernel reports the maximum resident memory of a process.
describe.runIf(process.platform === 'linux')('the memory of an engine process', () => {
  it.each([
    ['resizes', resizes],
    ['filters', filters],
    ['a chain', chain],
  ] as const)(
    'stays within half as much again as its pixels and a base: %s',
    async (_, { graph, pixels }) => {
      const before = new Set(children());
      const engine = new BuiltinEngine();
      try {
        await engine.prestart();
        const [child] = children().filter((pid) => !before.has(pid));
        const run = { runId: crypto.randomUUID(), workflow: Buffer.from(JSON.stringify(graph)), files: [] };
        const outcome = await engine.run(run, new RecordingObserver(), new AbortController().signal);
        expect(outcome).toEqual({ kind: 'succeeded' });
        const most = FACTOR * pixels * 3 * Float32Array.BYTES_PER_ELEMENT + BASE_BYTES;
        expect(peakBytes(child ?? 0) / MEBIBYTE).toBeLessThan(most / MEBIBYTE);
      } finally {
        await engine.close();
      }
    },
    180_000,
  );
});

function empty(side: number, color: number): Graph[string] {
  return { class_type: 'EmptyImage', inputs: { width: side, height: side, batch_size: 1, color } };
}

function scaled(source: string, side: number, method: string): Graph[string] {
  const inputs = { image: [source, 0], upscale_method: method, width: side, height: side, crop: 'disabled' };
  return { class_type: 'ImageScale', inputs };
}

function shown(sources: readonly string[]): Graph {
  return Object.fromEntries(
    sources.map((source) => [`s${source}`, { class_type: 'PreviewImage', inputs: { images: [source, 0] } }]),
  );
}

function peakBytes(pid: number): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes ?? NaN) * 1024;
}

function children(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid)
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
