import { pngChunks, pngOf, type PngChunk } from './png-chunks.js';

/** One picture of an animated PNG and how it comes onto the canvas. */
interface ApngFrame {
  /** A PNG of its own. */
  readonly png: Buffer;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** What happens to its part of the canvas afterwards: 0 nothing, 1 cleared, 2 as before. */
  readonly disposal: number;
  /** Laid over what is there instead of replacing it. */
  readonly over: boolean;
}

const CONTROL_BYTES = 26;
/** Chunks that every frame shares. */
const SHARED = new Set(['PLTE', 'tRNS']);
/** 256 colours of three bytes. A longer chunk is not valid, and each frame would hold a copy of it. */
const MAX_SHARED_BYTES = 768;

/**
 * The frames of an animated PNG in their order, at most `most`; a picture for decoders that know no animation counts as
 * the first one. Frames that reach beyond the canvas are left out.
 */
export function apngFrames(file: Buffer, most: number): readonly ApngFrame[] {
  const chunks = pngChunks(file);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(0);
  if (header.length < 13) return [];
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const shared = chunks.filter(({ type, data }) => SHARED.has(type) && data.length <= MAX_SHARED_BYTES);
  const frames: ApngFrame[] = [];
  let control: Buffer | null = null;
  let parts: Buffer[] = [];
  const finish = (): void => {
    if (parts.length === 0) return;
    const place = control === null ? { x: 0, y: 0, width, height, disposal: 0, over: false } : frameControlOf(control);
    const inside = place.x + place.width <= width && place.y + place.height <= height;
    if (inside) frames.push({ ...place, png: framePng(header, place.width, place.height, shared, parts) });
    parts = [];
  };
  for (const { type, data } of chunks) {
    if (type === 'fcTL' && data.length >= CONTROL_BYTES) {
      finish();
      control = data;
    } else if (type === 'IDAT') parts.push(data);
    else if (type === 'fdAT') parts.push(data.subarray(4));
    if (frames.length >= most) return frames;
  }
  finish();
  return frames;
}

function frameControlOf(control: Buffer): Omit<ApngFrame, 'png'> {
  const [width, height, x, y] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return { x, y, width, height, disposal: control[24] ?? 0, over: control[25] === 1 };
}

function framePng(
  header: Buffer,
  width: number,
  height: number,
  shared: readonly PngChunk[],
  parts: readonly Buffer[],
): Buffer {
  const own = Buffer.from(header);
  own.writeUInt32BE(width, 0);
  own.writeUInt32BE(height, 4);
  return pngOf([
    { type: 'IHDR', data: own },
    ...shared,
    { type: 'IDAT', data: Buffer.concat(parts) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ]);
}

/** The canvas of an animation, RGBA. */
export class ApngCanvas {
  readonly pixels: Buffer;
  private before: Buffer | null = null;
  private last: ApngFrame | null = null;

  constructor(
    private readonly width: number,
    height: number,
  ) {
    this.pixels = Buffer.alloc(width * height * 4);
  }

  /** Shows the next frame, given as RGBA. */
  show(frame: ApngFrame, rgba: Uint8Array): void {
    this.dispose();
    if (frame.disposal === 2) this.before = Buffer.from(this.pixels);
    for (let row = 0; row < frame.height; row += 1) {
      const to = ((frame.y + row) * this.width + frame.x) * 4;
      const line = rgba.subarray(row * frame.width * 4, (row + 1) * frame.width * 4);
      if (frame.over && this.last !== null) layOver(this.pixels.subarray(to, to + line.length), line);
      else this.pixels.set(line, to);
    }
    this.last = frame;
  }

  private dispose(): void {
    const { last } = this;
    if (last === null || last.disposal === 0) return;
    for (let row = last.y; row < last.y + last.height; row += 1) {
      const [from, to] = [(row * this.width + last.x) * 4, (row * this.width + last.x + last.width) * 4];
      if (last.disposal === 2 && this.before) this.before.copy(this.pixels, from, from, to);
      else this.pixels.fill(0, from, to);
    }
  }
}

/** Pillow's paste through a mask: every channel, alpha too, between the old and the new by the new one's alpha. */
function layOver(under: Uint8Array, over: Uint8Array): void {
  for (let at = 0; at < over.length; at += 4) {
    const alpha = over[at + 3] as number;
    for (let c = at; c < at + 4; c += 1) {
      const mixed = (under[c] as number) * (255 - alpha) + (over[c] as number) * alpha + 128;
      under[c] = ((mixed >> 8) + mixed) >> 8;
    }
  }
}
