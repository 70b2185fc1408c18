import { createHash } from 'node:crypto';
import { RecordingObserver, type Graph } from '@heddle/testing-engine';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import { afterAll, describe, expect, it } from 'vitest';
import { BuiltinEngine } from './index.js';

const MEBIBYTE = 1024 * 1024;
const GRAPHS = 10;
/** 3.4 MiB each: large enough to be shared, and of three sizes that come again and again. */
const SIDES = [540, 544, 548];

describe(`pictures in memory that earlier ones left (seed ${seed})`, () => {
  const random = new Random(seed);
  const engines: BuiltinEngine[] = [];
  const engine = (cacheBytes: number): BuiltinEngine => {
    const made = new BuiltinEngine({ cacheBytes });
    engines.push(made);
    return made;
  };
  afterAll(async () => void (await Promise.all(engines.map((one) => one.close()))));

  it('are those of an engine that keeps everything', async () => {
    // Less than a graph holds, a little more, and enough for all.
    const [tight, small, large] = [engine(8 * MEBIBYTE), engine(40 * MEBIBYTE), engine(2048 * MEBIBYTE)];
    for (let round = 0; round < GRAPHS; round += 1) {
      const graph = someGraph(random);
      const [wanted, ...others] = await Promise.all([large, small, tight].map((one) => outputsOf(one, graph)));
      expect(wanted!.length).toBeGreaterThan(0);
      for (const outputs of others) expect(outputs, JSON.stringify(graph)).toEqual(wanted);
    }
  }, 300_000);
});

async function outputsOf(engine: BuiltinEngine, graph: Graph): Promise<readonly string[]> {
  const observer = new RecordingObserver();
  const run = { runId: crypto.randomUUID(), workflow: Buffer.from(JSON.stringify(graph)), files: [] };
  expect(await engine.run(run, observer, new AbortController().signal)).toEqual({ kind: 'succeeded' });
  // Cached nodes are reported first.
  return observer.outputs.map(({ key, bytes }) => `${key} ${createHash('sha256').update(bytes).digest('hex')}`).sort();
}

/** Pictures of one or two colours, then eight nodes over any of them, the last two shown. */
function someGraph(random: Random): Graph {
  const graph: Record<string, Graph[string]> = {};
  for (let at = 0; at < 3; at += 1) {
    const side = SIDES[random.below(3)]!;
    const inputs = {
      width: side,
      height: side,
      batch_size: 1,
      color: [0, 0x336699, 0x10f0aa, 0xfedcba][random.below(4)]!,
    };
    graph[String(at)] = { class_type: 'EmptyImage', inputs };
  }
  for (let at = 3; at < 11; at += 1) graph[String(at)] = someNode(random, () => [String(random.below(at)), 0]);
  for (const last of ['9', '10'])
    graph[`shown ${last}`] = { class_type: 'PreviewImage', inputs: { images: [last, 0] } };
  return graph;
}

function someNode(random: Random, image: () => readonly [string, number]): Graph[string] {
  const side = SIDES[random.below(3)]!;
  switch (random.below(5)) {
    case 0:
      return { class_type: 'ImageInvert', inputs: { image: image() } };
    case 1:
      return { class_type: 'ImageBlur', inputs: { image: image(), blur_radius: random.below(3), sigma: 1 } };
    case 2:
      return {
        class_type: 'ImageBlend',
        inputs: {
          image1: image(),
          image2: image(),
          blend_factor: 0.5,
          blend_mode: ['multiply', 'screen'][random.below(2)]!,
        },
      };
    case 3:
      return { class_type: 'ImageSharpen', inputs: { image: image(), sharpen_radius: 1, sigma: 1, alpha: 0.5 } };
    default:
      return {
        class_type: 'ImageScale',
        inputs: {
          image: image(),
          upscale_method: ['bilinear', 'area'][random.below(2)]!,
          width: side,
          height: side,
          crop: 'disabled',
        },
      };
  }
}
