import type { Palette } from './median-cut.js';

/** Neighbouring colours share an answer: the lower two bits of a channel do not count. */
const CELLS = 64 * 64 * 64;
const UNKNOWN = -1;

/** Finds the palette's colour for any other, as Pillow does: an equal one, else the nearest to the colour's cell. */
export class NearestColour {
  private readonly cells = new Int16Array(CELLS).fill(UNKNOWN);
  private readonly exact = new Map<number, number>();

  constructor(readonly palette: Palette) {
    for (let i = palette.length / 3 - 1; i >= 0; i -= 1) {
      this.exact.set(packed(palette[i * 3] as number, palette[i * 3 + 1] as number, palette[i * 3 + 2] as number), i);
    }
  }

  /** Index of the colour in the palette. */
  find(red: number, green: number, blue: number): number {
    const equal = EXACT_FIRST ? this.exact.get(packed(red, green, blue)) : undefined;
    if (equal !== undefined) return equal;
    const cell = ((red >> 2) << 12) | ((green >> 2) << 6) | (blue >> 2);
    const known = this.cells[cell] as number;
    if (known !== UNKNOWN) return known;
    const found = this.nearest(red & ~3, green & ~3, blue & ~3);
    this.cells[cell] = found;
    return found;
  }

  private nearest(red: number, green: number, blue: number): number {
    const { palette } = this;
    let [best, found] = [Infinity, 0];
    for (let i = 0; i < palette.length; i += 3) {
      const r = (palette[i] as number) - red;
      const g = (palette[i + 1] as number) - green;
      const b = (palette[i + 2] as number) - blue;
      const distance = r * r + g * g + b * b;
      if (distance < best) {
        best = distance;
        found = i / 3;
      }
    }
    return found;
  }
}

function packed(red: number, green: number, blue: number): number {
  return (red << 16) | (green << 8) | blue;
}

const EXACT_FIRST = false;

/** Every pixel becomes its nearest colour of the palette. */
export function mapPlain(rgb: Uint8Array, colours: NearestColour): void {
  for (let at = 0; at < rgb.length; at += 3) {
    const found = colours.find(rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number) * 3;
    for (let c = 0; c < 3; c += 1) rgb[at + c] = colours.palette[found + c] as number;
  }
}

/** The same with Floyd and Steinberg's diffusion of the error, in Pillow's integer arithmetic. */
export function mapDiffused(rgb: Uint8Array, width: number, colours: NearestColour): void {
  const errors = new Int32Array((width + 1) * 3);
  const value = new Int32Array(3);
  const [carried, below, corner] = [new Int32Array(3), new Int32Array(3), new Int32Array(3)];
  for (let start = 0; start < rgb.length; start += width * 3) {
    carried.fill(0);
    below.fill(0);
    corner.fill(0);
    for (let x = 0; x < width; x += 1) {
      const at = start + x * 3;
      for (let c = 0; c < 3; c += 1) {
        const spread = Math.trunc(((carried[c] as number) + (errors[x * 3 + 3 + c] as number)) / 16);
        const sum = (rgb[at + c] as number) + spread;
        value[c] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
      }
      const found = colours.find(value[0] as number, value[1] as number, value[2] as number) * 3;
      for (let c = 0; c < 3; c += 1) {
        const colour = colours.palette[found + c] as number;
        rgb[at + c] = colour;
        const error = (value[c] as number) - colour;
        // 3/16 below to the left, 5/16 below, 1/16 below to the right, 7/16 to the right.
        errors[x * 3 + c] = 3 * error + (below[c] as number);
        below[c] = 5 * error + (corner[c] as number);
        corner[c] = error;
        carried[c] = 7 * error;
      }
    }
    // Pillow leaves the three parts of blue behind the last pixel.
    errors[width * 3] = below[2] as number;
    errors[width * 3 + 1] = corner[2] as number;
    errors[width * 3 + 2] = corner[2] as number;
  }
}
