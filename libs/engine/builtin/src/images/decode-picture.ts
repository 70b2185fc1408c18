import { open, readFile } from 'node:fs/promises';
import type { Metadata, Sharp, SharpConstructor } from 'sharp';
import { NodeError } from '../execution/node-error.js';
import { ApngCanvas, apngFrames } from './apng-frames.js';
import { bitmapSize, decodeBitmap } from './decode-bmp.js';
import { FORMAT_BYTES, pictureFormat, type PictureFormat } from './picture-format.js';
import { pngChunks, repairPng } from './png-chunks.js';

/** The longest side that a picture may have, and the most frames that are read. */
const MAX_SIDE = 16_384;
const MAX_FRAMES = 4096;
const PNG_HEADER_BYTES = 13;
const OPTIONS = { limitInputPixels: false, ignoreIcc: true, failOn: 'truncated', animated: true } as const;

type Reserve = (bytes: number) => void;

/** Frames of one file, bytes of interleaved RGB or RGBA. */
export interface DecodedPicture {
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly bytes: Uint8Array;
  /** Whether the alpha channel is one the loader shows as a mask. */
  readonly hasMask: boolean;
}

/**
 * Decodes a picture as Pillow would hand it to the engine: turned by its EXIF orientation, colour profile ignored,
 * reduced to 8 bits; of a file that ends too soon what can be read, the rest black. `reserve` is asked for the memory
 * before a pixel is decoded. A file that is not a picture, or is too large, ends in a `NodeError`.
 */
export async function decodePicture(path: string, reserve: (bytes: number) => void): Promise<DecodedPicture> {
  const format = await readFormat(path);
  if (format === null) throw unreadable();
  try {
    if (format.format === 'bmp') return await decodeBmp(path, reserve);
    if (format.animated) return await decodeApng(path, format, reserve);
    return await decodeStill(path, format, reserve);
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'Error') throw unreadable();
    throw error;
  }
}

/** Everything that the decoder knows; tried again with more patience where it finds a file damaged. */
async function decodeStill(path: string, format: PictureFormat, reserve: Reserve): Promise<DecodedPicture> {
  const sharp = await decoder();
  try {
    return await decodeInput(sharp(path, OPTIONS), format, reserve);
  } catch (error) {
    if (!(error instanceof Error) || error.constructor.name !== 'Error') throw error;
    if (format.format === 'webp') throw new NodeError('OSError', 'could not create decoder object');
    return decodeInput(sharp(await repaired(path, format, reserve), { ...OPTIONS, failOn: 'none' }), format, reserve);
  }
}

/** A PNG without its end is completed: the decoder would give up earlier than Pillow does. */
async function repaired(path: string, format: PictureFormat, reserve: Reserve): Promise<string | Buffer> {
  if (format.format !== 'png') return path;
  const file = await readFile(path);
  const chunks = pngChunks(file);
  if (chunks.some(({ type }) => type === 'IEND') || !chunks.some(({ type }) => type === 'IDAT')) return path;
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header?.length !== PNG_HEADER_BYTES) return path;
  requireRoom(1, header.readUInt32BE(0), header.readUInt32BE(4), reserve);
  return repairPng(chunks, header);
}

async function decodeInput(input: Sharp, format: PictureFormat, reserve: Reserve): Promise<DecodedPicture> {
  const metadata = await input.metadata();
  const frames = Math.min(metadata.pages ?? 1, MAX_FRAMES);
  const height = metadata.pageHeight ?? metadata.height;
  const { width } = metadata;
  requireRoom(frames, width, height, reserve);
  const turned = (metadata.orientation ?? 1) > 4;
  const { bytes, channels } = await pixelsOf(input, metadata, format);
  return {
    frames,
    width: turned ? height : width,
    height: turned ? width : height,
    channels,
    bytes,
    hasMask: channels === 4 && maskCounts(format),
  };
}

async function decodeBmp(path: string, reserve: Reserve): Promise<DecodedPicture> {
  const file = await readFile(path);
  const size = bitmapSize(file);
  if (size === null) throw unreadable();
  requireRoom(1, size.width, size.height, reserve);
  return { ...decodeBitmap(file, size), frames: 1, channels: 3, hasMask: false };
}

async function decodeApng(path: string, format: PictureFormat, reserve: Reserve): Promise<DecodedPicture> {
  const sharp = await decoder();
  const file = await readFile(path);
  const { width, height } = await sharp(file, OPTIONS).metadata();
  const frames = apngFrames(file, MAX_FRAMES);
  if (frames.length === 0) throw unreadable();
  requireRoom(frames.length, width, height, reserve);
  const canvas = new ApngCanvas(width, height);
  const bytes = new Uint8Array(frames.length * canvas.pixels.length);
  for (const [index, frame] of frames.entries()) {
    const picture = sharp(frame.png, { ...OPTIONS, failOn: 'none' })
      .toColourspace('srgb')
      .ensureAlpha();
    canvas.show(frame, await picture.raw().toBuffer());
    bytes.set(canvas.pixels, index * canvas.pixels.length);
  }
  // A picture without alpha had it made opaque.
  return { frames: frames.length, width, height, channels: 4, bytes, hasMask: apngHasMask(file, format) };
}

function apngHasMask(file: Buffer, format: PictureFormat): boolean {
  if ((format.colourType ?? 0) >= 4) return true;
  return format.colourType === 3 && pngChunks(file).some(({ type }) => type === 'tRNS');
}

/** The decoder's own buffers, the bytes and the float samples exist at the same time. */
function requireRoom(frames: number, width: number, height: number, reserve: Reserve): void {
  if (width > MAX_SIDE || height > MAX_SIDE) throw tooLarge(width, height);
  reserve(frames * width * height * (8 + 16));
}

/** Loaded on first use: graphs without pictures need not pay for the decoder. */
async function decoder(): Promise<SharpConstructor> {
  return (await import('sharp')).default;
}

async function readFormat(path: string): Promise<PictureFormat | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FORMAT_BYTES), 0, FORMAT_BYTES, 0);
    return pictureFormat(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

async function pixelsOf(
  input: Sharp,
  metadata: Metadata,
  format: PictureFormat,
): Promise<{ bytes: Uint8Array; channels: 3 | 4 }> {
  if (format.format === 'png' && format.bitDepth === 16) return deepPng(input, format);
  if (metadata.space === 'cmyk') return cmykPixels(input);
  const turned = (metadata.orientation ?? 1) > 1 && (metadata.pages ?? 1) === 1 ? input.autoOrient() : input;
  const { data, info } = await turned.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return toColour(data, info.channels);
}

/** Four inks: each colour is what its ink and black leave of white, as Pillow has it. */
async function cmykPixels(input: Sharp): Promise<{ bytes: Uint8Array; channels: 3 | 4 }> {
  const inks = await input.autoOrient().pipelineColourspace('cmyk').toColourspace('cmyk').raw().toBuffer();
  const bytes = new Uint8Array((inks.length / 4) * 3);
  for (let from = 0, to = 0; from < inks.length; from += 4, to += 3) {
    const white = 255 - (inks[from + 3] as number);
    for (let c = 0; c < 3; c += 1) {
      const product = (inks[from + c] as number) * white + 128;
      bytes[to + c] = white - (((product >> 8) + product) >> 8);
    }
  }
  return { bytes, channels: 3 };
}

/** 16 bits a sample: grey is cut off at 255, colours keep their high byte (as Pillow reads them). */
async function deepPng(input: Sharp, format: PictureFormat): Promise<{ bytes: Uint8Array; channels: 3 | 4 }> {
  const grey = format.colourType === 0;
  const { data, info } = await input
    .autoOrient()
    .toColourspace(grey ? 'grey16' : 'rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const deep = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
  const bytes = new Uint8Array(deep.length);
  for (let i = 0; i < deep.length; i += 1) {
    const sample = deep[i] as number;
    bytes[i] = grey ? Math.min(sample, 255) : sample >> 8;
  }
  return toColour(bytes, info.channels);
}

function toColour(bytes: Uint8Array, channels: number): { bytes: Uint8Array; channels: 3 | 4 } {
  if (channels === 3 || channels === 4) return { bytes, channels };
  const pixels = bytes.length / channels;
  const wide = channels === 2 ? 4 : 3;
  const out = new Uint8Array(pixels * wide);
  for (let i = 0, from = 0, to = 0; i < pixels; i += 1, from += channels, to += wide) {
    const grey = bytes[from] as number;
    out[to] = grey;
    out[to + 1] = grey;
    out[to + 2] = grey;
    if (wide === 4) out[to + 3] = bytes[from + 1] as number;
  }
  return { bytes: out, channels: wide };
}

/** A colour key of a grey or RGB file is not an alpha channel for the engine; that of a palette is. */
function maskCounts(format: PictureFormat): boolean {
  if (format.format === 'gif') return format.firstFrameTransparent;
  return format.format !== 'png' || format.colourType === 3 || (format.colourType ?? 0) >= 4;
}

function unreadable(): NodeError {
  return new NodeError('UnidentifiedImageError', 'cannot identify image file');
}

function tooLarge(width: number, height: number): NodeError {
  return new NodeError(
    'DecompressionBombError',
    `Image size (${width} x ${height} pixels) exceeds the limit of ${MAX_SIDE} pixels a side`,
  );
}
