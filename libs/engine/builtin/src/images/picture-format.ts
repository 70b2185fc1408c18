/** What the first bytes of a file say: its format and, for PNG, how pixels are stored. */
export interface PictureFormat {
  readonly format: 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff' | 'bmp' | 'avif';
  /** PNG only: 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  readonly colourType: number | null;
  readonly bitDepth: number | null;
  /** PNG only: more than one frame. */
  readonly animated: boolean;
  /** GIF only: whether the first frame has a transparent colour; later frames use one to leave pixels as they were. */
  readonly firstFrameTransparent: boolean;
}

/** Bytes needed to recognise a format; enough for the colours and first extensions of a GIF. */
export const FORMAT_BYTES = 4096;

/** `null` for everything else, SVG and camera formats included: those are refused before a decoder sees them. */
export function pictureFormat(head: Buffer): PictureFormat | null {
  if (head.length >= 26 && head.readUInt32BE(0) === 0x89504e47 && head.readUInt32BE(4) === 0x0d0a1a0a) {
    return {
      format: 'png',
      colourType: head[25] ?? null,
      bitDepth: head[24] ?? null,
      animated: head.includes('acTL'),
      firstFrameTransparent: false,
    };
  }
  const plain = { colourType: null, bitDepth: null, animated: false, firstFrameTransparent: false };
  if (head.length >= 3 && head.readUIntBE(0, 3) === 0xffd8ff) return { format: 'jpeg', ...plain };
  const text = head.toString('latin1');
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) {
    return { format: 'gif', ...plain, firstFrameTransparent: hasTransparentColour(head) };
  }
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return { format: 'webp', ...plain };
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return { format: 'tiff', ...plain };
  if (text.startsWith('BM')) return { format: 'bmp', ...plain };
  if (/^ftypavi[fs]/.test(text.slice(4, 12))) return { format: 'avif', ...plain };
  return null;
}

/** Walks the blocks of a GIF up to its first picture. */
function hasTransparentColour(head: Buffer): boolean {
  const flags = head[10] ?? 0;
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let transparent = false;
  while (head[at] === 0x21) {
    if (head[at + 1] === 0xf9) transparent = ((head[at + 3] ?? 0) & 1) === 1;
    at += 2;
    while ((head[at] ?? 0) > 0) at += 1 + (head[at] ?? 0);
    at += 1;
  }
  return transparent;
}
