import { randomInt } from 'node:crypto';

export interface GraphNode {
  class_type: string;
  inputs: Record<string, unknown>;
}
export type Graph = Record<string, GraphNode>;

/** Two CPU nodes and one image; the random colour makes every graph new, so nothing is cached. */
export function pictureGraph(options: { size?: number; color?: number } = {}): Graph {
  const size = options.size ?? 8;
  const color = options.color ?? randomInt(0xffffff);
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: size, height: size, batch_size: 1, color } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'heddle' } },
  };
}

/** One text output, no image: the cheapest graph with an output. */
export function textGraph(text: string = `text ${randomInt(2 ** 40)}`): Graph {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: text } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  };
}

/** An early text output, then a sleep of the built-in engine's test nodes, then another text output. */
export function sleepingGraph(seconds: number, options: { cooperative?: boolean } = {}): Graph {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: `before ${randomInt(2 ** 40)}` } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
    '3': {
      class_type: 'HeddleTestSleep',
      inputs: { seconds, cooperative: options.cooperative ?? true, value: ['1', 0] },
    },
    '4': { class_type: 'PreviewAny', inputs: { source: ['3', 0] } },
  };
}

/** A text output, then a node that fails with `message`. */
export function failingGraph(message = 'failed on purpose'): Graph {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: `before ${randomInt(2 ** 40)}` } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
    '3': { class_type: 'HeddleTestFail', inputs: { message, value: ['1', 0] } },
  };
}

/** `core/ASSET` as clients write it (api-v2, POST /api/v2/jobs rule 1). */
export function assetReference(id: string, hints: { hash?: string; file_path?: string } = {}): object {
  return { __type: 'core/ASSET', info: { id, ...hints } };
}

/** Loads an asset (or a file name) with LoadImage and saves it again. */
export function loadGraph(image: unknown): Graph {
  return {
    '10': { class_type: 'LoadImage', inputs: { image } },
    '11': { class_type: 'ImageInvert', inputs: { image: ['10', 0] } },
    '12': { class_type: 'SaveImage', inputs: { images: ['11', 0], filename_prefix: 'loaded' } },
  };
}
