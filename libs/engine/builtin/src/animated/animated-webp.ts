import { mergeEqualFrames, type AnimationFrames } from './animated-png.js';

interface WebpOptions {
  readonly lossless: boolean;
  /** 0..100 */
  readonly quality: number;
  /** 0 (fast) to 6 (small). */
  readonly effort: number;
}

/**
 * Encodes an animated WebP. The graph's metadata is in EXIF text: the prompt under `Model`, the client's members under `Make`
 * and the tags below.
 */
export async function encodeAnimatedWebp(
  animation: AnimationFrames,
  options: WebpOptions,
  texts: readonly (readonly [string, string])[],
): Promise<Uint8Array> {
  const { width, height, channels } = animation;
  const shown = mergeEqualFrames(animation);
  const { default: sharp } = await import('sharp');
  const bytes = Buffer.concat(shown.map((frame) => frame.bytes));
  const raw = { width, height: height * shown.length, channels: channels as 3 | 4, pageHeight: height };
  const tags: Record<string, string> = {};
  texts.forEach(([keyword, text], index) => {
    const name = TAGS[index];
    if (name !== undefined) tags[name] = `${keyword}:${text}`;
  });
  const delay = shown.map((frame) => frame.duration);
  return sharp(bytes, { raw, limitInputPixels: false })
    .withExif({ IFD0: tags })
    .webp({ lossless: options.lossless, quality: Math.max(options.quality, 1), effort: options.effort, delay, loop: 0 })
    .toBuffer();
}

/** EXIF tags 0x110 and 0x10f downwards. */
const TAGS = ['Model', 'Make', 'ImageDescription'];
