import { describe, expect, it } from 'vitest';
import { decodeFlac } from './decode-flac.js';
import { encodeFlac } from './encode-flac.js';

const RATE = 44_100;

describe('a FLAC file', () => {
  it.each([1, 2])('of %i channels holds every sample', (count) => {
    const channels = Array.from({ length: count }, (_, channel) => wave(9000, channel));
    const decoded = decodeFlac(Buffer.concat(encodeFlac({ sampleRate: RATE, channels }, [])), () => undefined);
    expect(decoded.sampleRate).toBe(RATE);
    const back = decoded.channels.map((samples) => Int16Array.from(samples, (sample) => Math.round(sample * 32_768)));
    expect(back).toEqual(channels);
  });

  it('that ends within its head or a frame is an error', () => {
    const file = Buffer.concat(encodeFlac({ sampleRate: RATE, channels: [wave(9000, 0)] }, [['prompt', '{}']]));
    for (const length of [3, 20, 90, file.length >> 1]) {
      expect(() => decodeFlac(file.subarray(0, length), () => undefined), `${length} bytes`).toThrow(RangeError);
    }
  });

  it('that says to be gigantic is an error before memory is taken', () => {
    const file = Buffer.concat(encodeFlac({ sampleRate: RATE, channels: [wave(100, 0)] }, []));
    file.writeUInt32BE(0xffffffff, 4 + 4 + 14);
    let reserved = 0;
    expect(() => decodeFlac(file, (bytes) => (reserved += bytes))).toThrow(RangeError);
    expect(reserved).toBe(0);
  });
});

/** A tone with noise and both extremes. */
function wave(samples: number, seed: number): Int16Array {
  let state = seed + 1;
  const tone = Int16Array.from({ length: samples }, (_, i) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.round(20_000 * Math.sin(i / (20 + seed))) + (state >>> 22);
  });
  tone.set([32_767, -32_768, 0], 50);
  return tone;
}
