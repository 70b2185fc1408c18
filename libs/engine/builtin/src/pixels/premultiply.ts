/** Colours times their alpha, as Pillow does it before it resizes; rounded. */
export function premultiply(rgba: Uint8Array): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] as number;
    if (alpha === 255) continue;
    for (let c = at; c < at + 3; c += 1) {
      const product = (rgba[c] as number) * alpha + 128;
      rgba[c] = ((product >> 8) + product) >> 8;
    }
  }
}

/** The way back: cut, not rounded. */
export function unpremultiply(rgba: Uint8Array): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] as number;
    if (alpha === 255 || alpha === 0) continue;
    for (let c = at; c < at + 3; c += 1) {
      const colour = Math.trunc((255 * (rgba[c] as number)) / alpha);
      rgba[c] = colour > 255 ? 255 : colour;
    }
  }
}
