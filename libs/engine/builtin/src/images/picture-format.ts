/** What the first bytes of a file say: its format and, for PNG, how pixels are stored. */
export interface PictureFormat {
  readonly format: 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff';
  /** PNG only: 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  readonly colourType: number | null;
  readonly bitDepth: number | null;
}

/** Bytes needed to tell. */
export const FORMAT_BYTES = 32;

/** `null` for everything else, SVG and camera formats included: those are refused before a decoder sees them. */
export function pictureFormat(head: Buffer): PictureFormat | null {
  if (head.length >= 26 && head.readUInt32BE(0) === 0x89504e47 && head.readUInt32BE(4) === 0x0d0a1a0a) {
    return { format: 'png', colourType: head[25] ?? null, bitDepth: head[24] ?? null };
  }
  const plain = { colourType: null, bitDepth: null };
  if (head.length >= 3 && head.readUIntBE(0, 3) === 0xffd8ff) return { format: 'jpeg', ...plain };
  const text = head.toString('latin1');
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return { format: 'gif', ...plain };
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return { format: 'webp', ...plain };
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return { format: 'tiff', ...plain };
  return null;
}
