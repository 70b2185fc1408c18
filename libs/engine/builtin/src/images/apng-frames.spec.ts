import { describe, expect, it } from 'vitest';
import { apngFrames } from './apng-frames.js';
import { pngOf } from './png-chunks.js';

const HEADER = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0]);
const CONTROL = Buffer.alloc(26);
CONTROL.writeUInt32BE(1, 4);
CONTROL.writeUInt32BE(1, 8);

/** An animated PNG of one pixel, each frame with four bytes of data. */
function animated(palette: Buffer, frames: number): Buffer {
  const frame = [
    { type: 'fcTL', data: CONTROL },
    { type: 'fdAT', data: Buffer.alloc(8) },
  ];
  const chunks = [
    { type: 'IHDR', data: HEADER },
    { type: 'PLTE', data: palette },
  ];
  return pngOf([...chunks, ...Array.from({ length: frames }, () => frame).flat()]);
}

const bytesOf = (file: Buffer): number => apngFrames(file, 4_096).reduce((sum, { png }) => sum + png.length, 0);

describe('the frames of an animated PNG', () => {
  it('each have the palette of the file', () => {
    const frames = apngFrames(animated(Buffer.alloc(768, 7), 3), 4_096);
    expect(frames).toHaveLength(3);
    for (const { png } of frames) expect(png.includes(Buffer.alloc(768, 7))).toBe(true);
  });

  it('hold no copies of a palette that is longer than a palette can be', () => {
    expect(bytesOf(animated(Buffer.alloc(4 * 1024 ** 2), 100))).toBeLessThan(100 * 1024);
  });
});
