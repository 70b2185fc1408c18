import { deflateSync } from 'node:zlib';
import { COLOUR_TYPE, filterRows, pngChunk, PNG_SIGNATURE } from '../images/encode-png.js';

/** Frames of equal size, as bytes of interleaved channels */
export interface AnimationFrames {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly frames: readonly Uint8Array[];
  /** Duration of a frame in milliseconds */
  readonly duration: number;
}

/**
 * Encodes an animated PNG that repeats forever. Like Pillow, merges equal neighbouring frames into a longer one, and writes
 * the graph's metadata in private chunks after the pictures: `null` marks their place.
 */
export function encodeAnimatedPng(animation: AnimationFrames, level: number): readonly (Uint8Array | null)[] {
  const { width, height, channels } = animation;
  const shown = mergeEqualFrames(animation);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, COLOUR_TYPE[channels] ?? 2, 0, 0, 0], 8);
  const parts: Uint8Array[] = [PNG_SIGNATURE, pngChunk('IHDR', head)];
  if (shown.length > 1) parts.push(pngChunk('acTL', Buffer.concat([word(shown.length), word(0)])));
  let sequence = 0;
  shown.forEach(({ bytes, duration }, index) => {
    if (shown.length > 1) parts.push(pngChunk('fcTL', frameControl(sequence++, width, height, duration)));
    const data = deflateSync(filterRows(bytes, width * channels, height, channels), { level });
    if (index === 0) parts.push(pngChunk('IDAT', data));
    else parts.push(pngChunk('fdAT', Buffer.concat([word(sequence++), data])));
  });
  return [Buffer.concat(parts), null, pngChunk('IEND', new Uint8Array(0))];
}

export function mergeEqualFrames({ frames, duration }: AnimationFrames): { bytes: Uint8Array; duration: number }[] {
  const shown: { bytes: Uint8Array; duration: number }[] = [];
  for (const bytes of frames) {
    const last = shown.at(-1);
    if (last && Buffer.compare(last.bytes, bytes) === 0) last.duration += duration;
    else shown.push({ bytes, duration });
  }
  return shown;
}

/** A private chunk of the engine: keyword and JSON text. */
export function privateText(keyword: string, text: string): Uint8Array {
  return pngChunk('comf', Buffer.from(`${keyword}\0${text}`, 'latin1'));
}

function frameControl(sequence: number, width: number, height: number, duration: number): Buffer {
  const rest = Buffer.alloc(6);
  // A fraction of a second with 16-bit numbers, so longer durations are cut.
  rest.writeUInt16BE(Math.min(duration, 0xffff), 0);
  rest.writeUInt16BE(1000, 2);
  return Buffer.concat([word(sequence), word(width), word(height), word(0), word(0), rest]);
}

function word(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value);
  return out;
}
