import { describe, expect, it } from 'vitest';
import { Image } from '../values/image.js';
import { BLEND_MODES, blendSample } from './blend-modes.js';
import { gaussianBlur } from './gaussian.js';
import { gaussianWeights } from './blur-rows.js';
import { PORTER_DUFF_MODES, porterDuffRule } from './porter-duff.js';
import { pythonRound } from './python-round.js';
import { quantise, toUnit } from './quantise.js';

const turn = { checkpoint: (): void => undefined };

describe('quantising', () => {
  it('gives every byte back that came from a byte', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const [samples, back] = [new Float32Array(256), new Uint8Array(256)];
    toUnit(bytes, samples);
    quantise(samples, back);
    expect(back).toEqual(bytes);
  });

  it('truncates: 159 of the inverted bytes come out one lower than 255 - n', () => {
    const inverted = Float32Array.from({ length: 256 }, (_, n) => 1 - Math.fround(n / 255));
    const out = new Uint8Array(256);
    quantise(inverted, out);
    expect(out.filter((byte, n) => byte === 254 - n)).toHaveLength(159);
  });

  it('cuts off what is outside and makes 0 of what is no number', () => {
    const out = new Uint8Array(5);
    quantise(Float32Array.of(-1, 2, NaN, Infinity, -Infinity), out);
    expect([...out]).toEqual([0, 255, 0, 255, 0]);
  });
});

describe('rounding to whole pixels', () => {
  it.each([
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [2.4, 2],
    [2.6, 3],
    [-0.5, 0],
  ])('takes %f to %i, halves to even', (value, whole) => {
    expect(pythonRound(value)).toBeCloseTo(whole);
  });
});

describe('blending', () => {
  it.each([
    ['normal', 0.25, 0.75, 0.75],
    ['multiply', 0.5, 0.5, 0.25],
    ['screen', 0.5, 0.5, 0.75],
    ['overlay', 0.25, 0.5, 0.25],
    ['overlay', 0.75, 0.5, 0.75],
    ['soft_light', 0.25, 0.5, 0.25],
    ['soft_light', 0.25, 1, 0.5],
    ['difference', 0.25, 0.75, -0.5],
  ] as const)('%s of %f and %f is %f', (mode, lower, upper, result) => {
    expect(blendSample[mode](lower, upper)).toBe(result);
  });

  it.each(BLEND_MODES)('%s stays in float32', (mode) => {
    for (let i = 0; i <= 64; i += 1) {
      const value = blendSample[mode](Math.fround(i / 64.3), Math.fround((64 - i) / 65.7));
      expect(value).toBe(Math.fround(value));
    }
  });
});

describe('the blur', () => {
  it('has weights that sum to 1 and are the same on both sides', () => {
    const weights = gaussianWeights(7, 1.5);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 14);
    expect([...weights]).toEqual([...weights].reverse());
  });

  it('keeps one colour exactly, up to the mirrored borders', async () => {
    const image = new Image([1, 9, 7, 3], new Float32Array(9 * 7 * 3).fill(0.2));
    const to = new Float32Array(image.data.length);
    await gaussianBlur(image, 6, 1, to, turn);
    expect(new Set(to)).toEqual(new Set([Math.fround(0.2)]));
  });

  it('equals the plain sum over the whole kernel', async () => {
    const [width, height, radius] = [6, 5, 2];
    const image = new Image(
      [1, height, width, 1],
      Float32Array.from({ length: 30 }, (_, i) => ((i * 37) % 31) / 31),
    );
    const to = new Float32Array(30);
    await gaussianBlur(image, radius, 0.7, to, turn);
    const weights = gaussianWeights(radius, 0.7);
    const mirror = (at: number, size: number): number => (at < 0 ? -at : at >= size ? 2 * size - 2 - at : at);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        let sum = 0;
        for (let dy = -radius; dy <= radius; dy += 1) {
          for (let dx = -radius; dx <= radius; dx += 1) {
            const weight = (weights[dy + radius] ?? 0) * (weights[dx + radius] ?? 0);
            sum += weight * (image.data[mirror(y + dy, height) * width + mirror(x + dx, width)] ?? 0);
          }
        }
        expect(to[y * width + x]).toBeCloseTo(sum, 6);
      }
    }
  });

  it('is refused if the radius does not fit, in the words of the engine', async () => {
    const image = new Image([1, 6, 8, 3], new Float32Array(144));
    await expect(gaussianBlur(image, 6, 1, new Float32Array(144), turn)).rejects.toThrow(
      'padding (6, 6) at dimension 2 of input [1, 3, 6, 8]',
    );
  });
});

describe('compositing', () => {
  it.each(PORTER_DUFF_MODES)('%s of two opaque layers or an empty source stays between 0 and 1', (mode) => {
    const rule = porterDuffRule(mode);
    for (const alpha of [0, 1]) {
      const colour = rule.colour({ source: 0.5 * alpha, sourceAlpha: alpha, destination: 0.25, destinationAlpha: 1 });
      expect(colour).toBeGreaterThanOrEqual(0);
      expect(colour).toBeLessThanOrEqual(1);
      expect([0, 1]).toContain(rule.alpha(alpha, 1));
    }
  });
});
