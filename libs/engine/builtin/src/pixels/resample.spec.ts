import { describe, expect, it } from 'vitest';
import { quantise, toUnit } from './quantise.js';
import { resampleArea } from './resample-area.js';
import { resampleBicubic } from './resample-bicubic.js';
import { resampleBilinear } from './resample-bilinear.js';
import { resampleLanczos } from './resample-lanczos.js';
import { resampleNearest } from './resample-nearest.js';
import type { Resampling } from './resampling.js';

/** The 8 x 6 picture whose pixel (x, y) is (36 x, 51 y, 7 x y), shrunk to 5 x 4 by a real engine; a row per line. */
const SHRUNK = {
  'nearest-exact':
    '000000 480000 900000 b40000 fc0000/006600 48661c 906638 b46646 fc6662/009900 48992a 909954 b49969 fc9993/00ff00 48ff46 90ff8c b4ffaf fcfff5',
  bilinear:
    '0a0c00 440c03 7e0c06 b70c08 f10c0b/0a5903 445917 7e592a b7593e f15952/0aa506 44a52b 7ea54f b7a574 f1a598/0af209 44f23f 7ef274 b7f2a9 f1f2de',
  area: '121901 481907 7e190c b41911 ea1916/124c05 484c15 7e4c24 b44c34 ea4c44/12b20c 48b231 7eb255 b4b27a eab29f/12e50f 48e53f 7ee56e b4e59d eae5cc',
  bicubic:
    '080900 430902 7e0904 b80906 f30909/085602 435616 7e5629 b8563d f35650/08a805 43a82b 7ea850 b8a876 f3a89c/08f507 43f53e 7ef575 b8f5ac f3f5e3',
  lanczos:
    '0b0d01 440d03 7e0d06 b80d09 f10d0c/0b5803 445816 7e582a b8583e f15851/0ba706 44a72b 7ea751 b8a776 f1a79a/0bf20a 44f23f 7ef275 b8f2aa f1f2de',
};

const METHODS = {
  'nearest-exact': resampleNearest,
  bilinear: resampleBilinear,
  area: resampleArea,
  bicubic: resampleBicubic,
  lanczos: resampleLanczos,
};

const names = ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'] as const;

describe('resampling', () => {
  it.each(names)('%s shrinks as the engine does, byte for byte', async (name) => {
    const result = await resample(METHODS[name], gradient(), { width: 8, height: 6 }, { width: 5, height: 4 });
    expect(rows(result, 5)).toBe(SHRUNK[name]);
  });

  it.each(names)('%s leaves a picture of the same size as it is', async (name) => {
    const size = { width: 8, height: 6 };
    const result = await resample(METHODS[name], gradient(), size, size);
    expect(rows(result, 8)).toBe(rows(gradient(), 8));
  });

  it.each(names)('%s keeps one colour one colour, larger and smaller', async (name) => {
    const plain = new Uint8Array(8 * 6 * 3).fill(51);
    for (const size of [
      { width: 31, height: 1 },
      { width: 1, height: 17 },
      { width: 9, height: 9 },
    ]) {
      const result = await resample(METHODS[name], plain, { width: 8, height: 6 }, size);
      // Rounded weights sum to 1 only nearly: the engine, too, is one step lower here and there.
      for (const byte of result) expect(name.startsWith('bi') ? [50, 51] : [51]).toContain(byte);
    }
  });

  it.each(names)('%s reports every row, so that a cancel takes effect between rows', async (name) => {
    let reported = 0;
    await resample(METHODS[name], gradient(), { width: 8, height: 6 }, { width: 3, height: 5 }, () => {
      reported += 1;
    });
    expect(reported).toBeGreaterThanOrEqual(5);
  });
});

interface Size {
  readonly width: number;
  readonly height: number;
}

async function resample(
  method: (work: Resampling) => Promise<void>,
  bytes: Uint8Array,
  from: Size,
  size: Size,
  afterRow: () => void = () => undefined,
): Promise<Uint8Array> {
  const samples = new Float32Array(bytes.length);
  toUnit(bytes, samples);
  const to = new Float32Array(size.width * size.height * 3);
  await method({
    from: samples,
    fromWidth: from.width,
    fromHeight: from.height,
    to,
    toWidth: size.width,
    toHeight: size.height,
    channels: 3,
    firstRow: 0,
    endRow: size.height,
    afterRow,
  });
  const out = new Uint8Array(to.length);
  quantise(to, out);
  return out;
}

function gradient(): Uint8Array {
  const pixels = Array.from({ length: 48 }, (_, i) => [i % 8, Math.floor(i / 8)] as const);
  return Uint8Array.from(pixels.flatMap(([x, y]) => [36 * x, 51 * y, (7 * x * y) % 256]));
}

function rows(bytes: Uint8Array, width: number): string {
  const pixels = Buffer.from(bytes).toString('hex').match(/.{6}/g) ?? [];
  const lines = Array.from({ length: pixels.length / width }, (_, y) =>
    pixels.slice(y * width, (y + 1) * width).join(' '),
  );
  return lines.join('/');
}
