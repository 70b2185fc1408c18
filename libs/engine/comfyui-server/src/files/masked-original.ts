import { readFile } from 'node:fs/promises';
import { empty, type HttpAnswer } from '../http/answer.js';
import { isFolderType, lastPart, type ServedFolders } from './engine-folders.js';

const MAX_PIXELS = 16_384 * 16_384;

/** PNG of the image named by `reference` with the alpha of `mask`, or the refusal. */
export async function maskedOriginal(
  mask: Uint8Array,
  reference: string | undefined,
  folders: ServedFolders,
): Promise<Uint8Array | HttpAnswer> {
  const place = originalFileOf(reference);
  if (place === null) return empty(400);
  const path = await folders.locate(place.type, place.subfolder, lastPart(place.filename));
  if (path === null) return empty(403);
  const original = await readFile(path).catch(() => null);
  if (original === null) return empty(404);
  const { default: sharp } = await import('sharp');
  const options = { limitInputPixels: MAX_PIXELS };
  const { width, height } = await sharp(original, options).metadata();
  const alpha = await sharp(mask, options)
    .ensureAlpha()
    .extractChannel('alpha')
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return sharp(original, options)
    .removeAlpha()
    .toColourspace('srgb')
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 4 })
    .toBuffer();
}

function originalFileOf(
  reference: string | undefined,
): { filename: string; subfolder: string; type: 'input' | 'output' | 'temp' } | null {
  let value: unknown;
  try {
    value = JSON.parse(reference ?? '');
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { filename, subfolder, type } = value as Record<string, unknown>;
  const folder = typeof type === 'string' ? type : 'output';
  if (typeof filename !== 'string' || filename === '' || filename.startsWith('/') || filename.includes('..'))
    return null;
  if (!isFolderType(folder)) return null;
  return { filename, subfolder: typeof subfolder === 'string' ? subfolder : '', type: folder };
}
