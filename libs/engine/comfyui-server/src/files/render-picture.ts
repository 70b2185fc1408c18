import type { Sharp } from 'sharp';

/** Maximum pixels of a rendered image; larger ones are refused. */
const MAX_PIXELS = 16_384 * 16_384;

/**
 * An image as the engine's web page requests it: without alpha, only its alpha (on black), or as a smaller file.
 * `preview` is `webp;90` or `jpeg;80`; null keeps PNG.
 */
export async function renderPicture(
  path: string,
  preview: string | null,
  channel: string,
): Promise<{ bytes: Buffer; contentType: string }> {
  // Most answers need no decoder, and loading it takes longer than the server's start.
  const { default: sharp } = await import('sharp');
  let picture = sharp(path, { limitInputPixels: MAX_PIXELS, sequentialRead: true });
  if (preview !== null) {
    const [asked = '', ...rest] = preview.split(';');
    const quality = qualityOf(rest.at(-1) ?? asked);
    if (asked === 'jpeg' && !channel.includes('a')) {
      return { bytes: await picture.removeAlpha().jpeg({ quality }).toBuffer(), contentType: 'image/jpeg' };
    }
    if (channel === 'rgb') picture = picture.removeAlpha();
    return { bytes: await picture.webp({ quality }).toBuffer(), contentType: 'image/webp' };
  }
  picture = channel === 'rgb' ? picture.removeAlpha() : await alphaOnBlack(picture);
  return { bytes: await picture.png().toBuffer(), contentType: 'image/png' };
}

async function alphaOnBlack(picture: Sharp): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await picture
    .ensureAlpha()
    .extractChannel('alpha')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const pixels = Buffer.alloc(info.width * info.height * 4);
  for (let i = 0; i < data.length; i++) pixels[4 * i + 3] = data[i]!;
  return sharp(pixels, { raw: { width: info.width, height: info.height, channels: 4 } });
}

function qualityOf(text: string): number {
  const quality = /^\d{1,3}$/.test(text) ? Number(text) : 90;
  return Math.min(100, Math.max(1, quality));
}
