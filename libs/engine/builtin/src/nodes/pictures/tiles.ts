import type { NodeImplementation } from '../../execution/node-class.js';
import { pythonRound } from '../../pixels/python-round.js';
import { cutOut } from '../../pixels/resample.js';
import { Image } from '../../values/image.js';

const { fround, max, min, PI, sin } = Math;
const MIN_WEIGHT = fround(1e-5);

interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Tiles of one size that overlap by at least `overlap`; the last of a line lies at the border. */
function gridOf(width: number, height: number, tileWidth: number, tileHeight: number, overlap: number): Tile[] {
  const starts = (size: number, tile: number): number[] => {
    const stride = pythonRound(max(tile * 0.25, tile - overlap));
    const found: number[] = [];
    for (let at = 0; at < size; at += stride) {
      const end = min(at + tile, size);
      found.push(max(0, end - tile));
      if (end >= size) break;
    }
    return found;
  };
  const columns = starts(width, tileWidth);
  return starts(height, tileHeight).flatMap((y) =>
    columns.map((x) => ({ x, y, width: min(tileWidth, width), height: min(tileHeight, height) })),
  );
}

export const splitImageToTileList: NodeImplementation = {
  run(inputs, context) {
    const image = inputs.image('image');
    const { width, height } = image;
    const tiles = gridOf(width, height, inputs.int('tile_width'), inputs.int('tile_height'), inputs.int('overlap'));
    return [tiles.map((tile) => cutOut(image, tile.x, tile.y, tile.width, tile.height, context))];
  },
};

/** Puts tiles together again; where they overlap, their middle counts more. */
export const imageMergeTileList: NodeImplementation = {
  async run(inputs, context) {
    const tiles = inputs.images('image_list');
    const [width, height] = [inputs.firstInt('final_width'), inputs.firstInt('final_height')];
    const overlap = inputs.firstInt('overlap');
    const [first] = tiles;
    if (first === undefined) throw new RangeError('there are no tiles');
    const { batch, channels } = first;
    const canvas = new Image([batch, height, width, channels], context.pixels(batch * height * width * channels));
    const weights = context.pixels(batch * height * width);
    const [across, down] = [first.width, first.height].map((size) => bell(size, overlap > 0)) as [
      Float32Array,
      Float32Array,
    ];
    for (const [index, place] of gridOf(width, height, first.width, first.height, overlap).entries()) {
      const tile = tiles[index];
      if (tile === undefined) break;
      addTile(canvas, weights, tile, place, { across, down });
      await context.checkpoint(index + 1, tiles.length);
    }
    for (let i = 0; i < weights.length; i += 1) {
      const weight = (weights[i] as number) || 1;
      for (let c = i * channels; c < (i + 1) * channels; c += 1) canvas.data[c] = (canvas.data[c] as number) / weight;
    }
    return [canvas];
  },
};

function addTile(
  canvas: Image,
  weights: Float32Array,
  tile: Image,
  place: Tile,
  { across, down }: { across: Float32Array; down: Float32Array },
): void {
  const { channels } = canvas;
  for (let frame = 0; frame < canvas.batch; frame += 1) {
    const from = tile.frame(frame % tile.batch);
    for (let y = 0; y < min(place.height, tile.height); y += 1) {
      for (let x = 0; x < min(place.width, tile.width); x += 1) {
        const weight = fround((down[y] as number) * (across[x] as number));
        const pixel = (frame * canvas.height + place.y + y) * canvas.width + place.x + x;
        weights[pixel] = (weights[pixel] as number) + weight;
        for (let c = 0; c < channels; c += 1) {
          const added = fround((from[(y * tile.width + x) * channels + c] as number) * weight);
          canvas.data[pixel * channels + c] = (canvas.data[pixel * channels + c] as number) + added;
        }
      }
    }
  }
}

/** Half a sine wave over `size` samples, or 1 everywhere. */
function bell(size: number, curved: boolean): Float32Array {
  return Float32Array.from({ length: size }, (_, i) => {
    if (!curved) return 1;
    // Steps from both ends, as torch divides a range.
    const step = size === 1 ? 0 : fround(1 / (size - 1));
    const at = i < Math.floor(size / 2) ? fround(step * i) : fround(1 - fround(step * (size - 1 - i)));
    return max(fround(sin(fround(fround(PI) * at))), MIN_WEIGHT);
  });
}
