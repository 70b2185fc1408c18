// Renders the demonstration's image, apps/cli/demo/lake-at-dusk.jpg: a lake between mountains after sunset, computed
// from noise with a fixed seed, so that no licence applies. `node tools/render-demo-picture.ts [FILE]`
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

type Rgb = readonly [number, number, number];

const WIDTH = 1200;
const HEIGHT = 800;
const HORIZON = 0.62;
const SUN: readonly [number, number] = [0.6, 0.415];
const SEED = 7;

const mix = (a: number, b: number, t: number): number => a + (b - a) * t;
const mixRgb = (a: Rgb, b: Rgb, t: number): Rgb => [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];
const clamp = (x: number): number => Math.min(1, Math.max(0, x));
const smooth = (from: number, to: number, x: number): number => {
  const t = clamp((x - from) / (to - from));
  return t * t * (3 - 2 * t);
};

/** Evenly spread numbers of 0..1 from grid coordinates: the same on every machine. */
function chance(x: number, y: number, salt: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(salt + SEED, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

function noise(x: number, y: number, salt: number): number {
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [smooth(0, 1, x - x0), smooth(0, 1, y - y0)];
  const row = (yy: number): number => mix(chance(x0, yy, salt), chance(x0 + 1, yy, salt), u);
  return mix(row(y0), row(y0 + 1), v);
}

function fractal(x: number, y: number, salt: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  for (let octave = 0; octave < octaves; octave++) {
    sum += weight * noise(x * 2 ** octave, y * 2 ** octave, salt + octave);
    weight /= 2;
  }
  return sum;
}

interface Ridge {
  readonly base: number;
  readonly height: number;
  readonly scale: number;
  readonly colour: Rgb;
  readonly haze: number;
  readonly salt: number;
}

/** From far to near: paler and smoother, then darker and rougher. */
const RIDGES: readonly Ridge[] = [
  { base: 0.56, height: 0.3, scale: 2.1, colour: [0.52, 0.4, 0.55], haze: 0.62, salt: 11 },
  { base: 0.59, height: 0.25, scale: 3.1, colour: [0.36, 0.29, 0.45], haze: 0.42, salt: 23 },
  { base: 0.615, height: 0.19, scale: 4.6, colour: [0.2, 0.18, 0.32], haze: 0.22, salt: 37 },
  { base: 0.63, height: 0.1, scale: 9.5, colour: [0.09, 0.09, 0.17], haze: 0.06, salt: 53 },
];

function ridgeTop(ridge: Ridge, x: number): number {
  const peaks = 1 - Math.abs(2 * fractal(x * ridge.scale, 0.5, ridge.salt, 5) - 1);
  const trees = ridge.haze < 0.1 ? Math.max(firs(x, 150, ridge.salt), firs(x + 0.37, 230, ridge.salt + 1)) : 0;
  return ridge.base - ridge.height * (peaks ** 1.6 - 0.32) - trees;
}

/** A row of pointed trees of many heights. */
function firs(x: number, perWidth: number, salt: number): number {
  const at = x * perWidth;
  const tree = Math.floor(at);
  const aside = Math.abs(2 * (at - tree) - 1);
  const branches = 0.05 * noise(at * 9, 2, salt);
  return 0.042 * (0.35 + 0.65 * chance(tree, 1, salt)) * (1 - aside ** 0.8 - branches);
}

function sky(x: number, y: number): Rgb {
  const up = clamp(1 - y / HORIZON);
  let colour = mixRgb([0.99, 0.74, 0.46], [0.86, 0.46, 0.48], smooth(0, 0.28, up));
  colour = mixRgb(colour, [0.4, 0.33, 0.56], smooth(0.18, 0.55, up));
  colour = mixRgb(colour, [0.1, 0.14, 0.33], smooth(0.45, 1, up));
  const distance = Math.hypot((x - SUN[0]) * (WIDTH / HEIGHT), (y - SUN[1]) * 1.15);
  colour = mixRgb(colour, [1, 0.86, 0.56], 0.85 * Math.exp(-distance * 6.5));
  const bands = fractal(x * 3.2 + 3, y * 15, 71, 6);
  const cloud = smooth(0.5, 0.74, bands) * smooth(0.06, 0.3, up) * (1 - 0.55 * up);
  const lit: Rgb = mixRgb([0.62, 0.36, 0.5], [1, 0.66, 0.44], Math.exp(-distance * 2.6));
  colour = mixRgb(colour, lit, 0.78 * cloud);
  const star = chance(Math.round(x * WIDTH), Math.round(y * HEIGHT), 97);
  const light = star > 0.9994 ? ((star - 0.9994) / 0.0006) * smooth(0.55, 0.95, up) * (1 - cloud) : 0;
  return mixRgb(colour, [1, 0.98, 0.92], light);
}

function land(x: number, y: number): Rgb | null {
  for (const ridge of [...RIDGES].reverse()) {
    const top = ridgeTop(ridge, x);
    if (y < top) continue;
    if (ridge.haze < 0.1) return mixRgb(ridge.colour, [0.16, 0.12, 0.2], smooth(top, ridge.base, y));
    const relief = fractal(x * 26, y * 34, ridge.salt + 5, 5) - 0.5;
    const slope = ridgeTop(ridge, x + 0.004) - top;
    const rim = smooth(0.03, 0, y - top) * Math.exp(-Math.abs(x - SUN[0]) * 3.2);
    const lit = clamp(0.5 + slope * (x < SUN[0] ? -26 : 26));
    let colour = mixRgb(ridge.colour, [0.88, 0.52, 0.42], 0.26 * lit * (1 - ridge.haze) + 0.35 * rim * ridge.haze);
    colour = mixRgb(colour, [colour[0] * 0.6, colour[1] * 0.6, colour[2] * 0.66], clamp(0.6 * -relief));
    const depth = smooth(top, ridge.base + 0.02, y);
    return mixRgb(colour, [0.95, 0.66, 0.5], ridge.haze * (0.3 + 0.55 * depth));
  }
  return null;
}

const above = (x: number, y: number): Rgb => land(x, y) ?? sky(x, y);

function water(x: number, y: number): Rgb {
  const near = (y - HORIZON) / (1 - HORIZON);
  const scale = 1 / (0.03 + near * 0.42);
  const ripple = fractal(x * 9 * Math.sqrt(scale), y * 62 * scale * 0.42, 131, 5) - 0.5;
  const shift = ripple * (0.012 + 0.09 * near);
  const mirrored = HORIZON - (y - HORIZON) * 0.98 + shift;
  let colour = above(clamp(x + shift * 0.25), Math.max(0, Math.min(HORIZON - 0.002, mirrored)));
  colour = mixRgb(colour, [0.1, 0.13, 0.26], 0.2 + 0.42 * near);
  const glitter = Math.exp(-(((x - SUN[0]) / (0.025 + 0.11 * near)) ** 2)) * smooth(0.08, 0.3, ripple);
  colour = mixRgb(colour, [1, 0.82, 0.55], 0.75 * glitter);
  const shore = smooth(0.012, 0, near);
  return mixRgb(colour, [0.06, 0.06, 0.12], 0.6 * shore);
}

function pixel(px: number, py: number): Rgb {
  const [x, y] = [px / WIDTH, py / HEIGHT];
  const colour = y < HORIZON ? above(x, y) : water(x, y);
  const edge = 1 - 0.34 * smooth(0.42, 0.85, Math.hypot(x - 0.5, (y - 0.5) * 0.9));
  const grain = (chance(Math.round(px * 3), Math.round(py * 3), 211) - 0.5) * 0.022;
  return [colour[0] * edge + grain, colour[1] * edge + grain, colour[2] * edge + grain];
}

/** Four samples a pixel, as a lens would blur them. */
function render(): Buffer {
  const bytes = Buffer.alloc(WIDTH * HEIGHT * 3);
  const offsets = [0.25, 0.75];
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const samples = offsets.flatMap((dy) => offsets.map((dx) => pixel(x + dx, y + dy)));
      for (let channel = 0; channel < 3; channel++) {
        const mean = samples.reduce((sum, sample) => sum + clamp(sample[channel] ?? 0), 0) / samples.length;
        bytes[(y * WIDTH + x) * 3 + channel] = Math.round(255 * mean);
      }
    }
  }
  return bytes;
}

const file = process.argv[2] ?? fileURLToPath(new URL('../apps/cli/demo/lake-at-dusk.jpg', import.meta.url));
const { size } = await sharp(render(), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
  .jpeg({ quality: 92, mozjpeg: true })
  .toFile(file);
process.stdout.write(`${file}: ${WIDTH}x${HEIGHT}, ${size} bytes\n`);
