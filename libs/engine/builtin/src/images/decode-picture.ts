import { open } from 'node:fs/promises';
import type { Metadata, Sharp } from 'sharp';
import { NodeError } from '../execution/node-error.js';
import { FORMAT_BYTES, pictureFormat, type PictureFormat } from './picture-format.js';

/** The longest side that a picture may have, and the most frames that are read. */
const MAX_SIDE = 16_384;
const MAX_FRAMES = 4096;

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
 * reduced to 8 bits. `reserve` is asked for the memory before a pixel is decoded. A file that is no picture, is
 * truncated or too large ends in a `NodeError`.
 */
export async function decodePicture(path: string, reserve: (bytes: number) => void): Promise<DecodedPicture> {
  const format = await readFormat(path);
  if (format === null) throw unreadable();
  // Loaded on first use: graphs without pictures need not pay for the decoder.
  const { default: sharp } = await import('sharp');
  const options = { limitInputPixels: false, ignoreIcc: true, failOn: 'truncated', animated: true } as const;
  try {
    const input = sharp(path, options);
    const metadata = await input.metadata();
    const frames = Math.min(metadata.pages ?? 1, MAX_FRAMES);
    const height = metadata.pageHeight ?? metadata.height;
    const { width } = metadata;
    if (width > MAX_SIDE || height > MAX_SIDE) throw tooLarge(width, height);
    // The decoder's own buffers, the bytes and the float samples exist at the same time.
    reserve(frames * width * height * (8 + 16));
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
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'Error') throw unreadable();
    throw error;
  }
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
  const turned = (metadata.orientation ?? 1) > 1 && (metadata.pages ?? 1) === 1 ? input.autoOrient() : input;
  const { data, info } = await turned.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return toColour(data, info.channels);
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

/** A colour key of a grey or RGB file is no alpha channel for the engine; that of a palette is. */
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
