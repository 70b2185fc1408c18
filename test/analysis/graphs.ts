import type { Graph } from '@heddle/testing-api';

/** Numbers that are the same in each run. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * below);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

const SIZES = [256, 512, 768];

/** A picture that is scaled, blurred and saved; few seeds, so that a part of it is often in the cache. */
export function poster(dice: Dice): Graph {
  const size = dice.of(SIZES);
  return {
    '1': { class_type: 'EmptyImage', inputs: { width: 128, height: 128, batch_size: 1, color: dice.below(6) * 1_000 } },
    '2': {
      class_type: 'ImageScale',
      inputs: { image: ['1', 0], upscale_method: 'bicubic', width: size, height: size, crop: 'disabled' },
    },
    '3': { class_type: 'ImageBlur', inputs: { image: ['2', 0], blur_radius: 3 + dice.below(6), sigma: 2 } },
    '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'poster' } },
  };
}

/** Two pictures side by side, of colours that no other job has. */
export function pair(dice: Dice): Graph {
  const side = (color: number) => ({
    class_type: 'EmptyImage',
    inputs: { width: 384, height: 384, batch_size: 1, color },
  });
  return {
    '1': side(dice.below(0xffffff)),
    '2': side(dice.below(0xffffff)),
    '3': {
      class_type: 'ImageBlend',
      inputs: { image1: ['1', 0], image2: ['2', 0], blend_factor: 0.5, blend_mode: 'normal' },
    },
    '4': { class_type: 'ImageSharpen', inputs: { image: ['3', 0], sharpen_radius: 2, sigma: 1, alpha: 1 } },
    '5': { class_type: 'SaveImage', inputs: { images: ['4', 0], filename_prefix: 'pair' } },
  };
}

/** The cheapest graph: a text. */
export function caption(dice: Dice): Graph {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: `caption ${dice.below(8)}` } },
    '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  };
}

/** A text that grows step by step: many nodes that cost little. One of eight has a text that others have too. */
export function story(dice: Dice): Graph {
  const steps = 6 + dice.below(40);
  const words = dice.below(8) === 0 ? dice.below(20) : 100 + dice.below(100_000_000);
  const graph: Graph = { '1': { class_type: 'PrimitiveString', inputs: { value: `story ${words}` } } };
  for (let step = 2; step <= steps; step += 1)
    graph[step] = {
      class_type: 'StringConcatenate',
      inputs: { string_a: [String(step - 1), 0], string_b: `step ${step}`, delimiter: ', ' },
    };
  graph[steps + 1] = { class_type: 'PreviewAny', inputs: { source: [String(steps), 0] } };
  return graph;
}

/** A text, then a node that works for `seconds`. */
export function render(dice: Dice, seconds: number): Graph {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: `render ${dice.below(1_000_000)}` } },
    '2': { class_type: 'HeddleTestSleep', inputs: { seconds, cooperative: true, value: ['1', 0] } },
    '3': { class_type: 'PreviewAny', inputs: { source: ['2', 0] } },
  };
}

/** Fails in its second node. */
export function faulty(dice: Dice): Graph {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: `faulty ${dice.below(1_000_000)}` } },
    '2': { class_type: 'HeddleTestFail', inputs: { message: 'the model gave no picture', value: ['1', 0] } },
  };
}

/** Ends the engine's process. */
export function crashing(dice: Dice): Graph {
  return {
    '1': { class_type: 'PrimitiveString', inputs: { value: `crashing ${dice.below(1_000_000)}` } },
    '2': { class_type: 'HeddleTestCrash', inputs: { how: 'exit', value: ['1', 0] } },
  };
}

/** Loads a file that is not a picture. */
export function unreadable(assetId: string): Graph {
  return {
    '1': { class_type: 'LoadImage', inputs: { image: { __type: 'core/ASSET', info: { id: assetId } } } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'loaded' } },
  };
}
