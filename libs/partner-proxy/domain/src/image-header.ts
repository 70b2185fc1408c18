type ImageType = 'png' | 'jpeg' | 'webp';

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/** By the first bytes; null: another type. */
export function imageType(bytes: Uint8Array): ImageType | null {
  if (holds(bytes, 0, PNG)) return 'png';
  if (holds(bytes, 0, JPEG)) return 'jpeg';
  return holds(bytes, 0, RIFF) && holds(bytes, 8, WEBP) ? 'webp' : null;
}

/** As the header says; null: it lies behind these bytes, or is of a form that is not read. */
export function imageSize(bytes: Uint8Array, type: ImageType): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === 'png') return bytes.length < 24 ? null : { width: view.getUint32(16), height: view.getUint32(20) };
  return type === 'jpeg' ? jpegSize(view) : webpSize(view);
}

/** In the first segment that begins a frame (SOF0 to SOF15, without the tables DHT, JPG and DAC). */
function jpegSize(view: DataView): ImageSize | null {
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(view: DataView): ImageSize | null {
  if (view.byteLength < 30) return null;
  switch (view.getUint8(15)) {
    // "VP8X": both sides less one, in 24 bits.
    case 0x58:
      return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
    // "VP8L": 14 bits each, less one.
    case 0x4c: {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    default:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function holds(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, index) => bytes[at + index] === byte);
}
