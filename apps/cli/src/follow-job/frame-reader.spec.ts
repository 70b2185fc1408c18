import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader } from './frame-reader.js';
import type { Frame } from './frame-reader.js';

const SEED = 41;
const readAll = (...chunks: string[]): Frame[] => {
  const reader = new FrameReader();
  return chunks.flatMap((chunk) => reader.push(chunk));
};

describe('the frames of an event stream', () => {
  it('are cut at empty lines, whatever the line ends', () => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(readAll(`event: status${end}data: {"a":1}${end}${end}data:x${end}data: y${end}${end}.`)).toEqual([
        { event: 'status', data: '{"a":1}' },
        { event: 'message', data: 'x\ny' },
      ]);
  });

  it('leave comments, ids, retry and unknown fields out', () => {
    expect(readAll(': keepalive\n\nid: 7\nretry: 1\nfoo\ndata: x\n\n')).toEqual([{ event: 'message', data: 'x' }]);
  });

  it('need data: a name alone is no frame', () => {
    expect(readAll('event: status\n\ndata: x\n\n')).toEqual([{ event: 'message', data: 'x' }]);
  });

  it(`are the same however the bytes are cut (seed ${SEED})`, () => {
    const stream =
      ': hello\r\n\r\nevent: status\r\ndata: {"status":"queued"}\r\n\r\nevent: progress\ndata: 1\ndata: 2\n\n';
    const whole = readAll(stream);
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 20 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), stream.length];
        expect(readAll(...at.slice(1).map((end, index) => stream.slice(at[index], end)))).toEqual(whole);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('end the stream where one never ends', () => {
    const reader = new FrameReader();
    const line = `data: ${'x'.repeat(1024 * 1024)}\n`;
    expect(() => {
      for (let i = 0; i < 17; i++) reader.push(line);
    }).toThrow('no end');
    expect(() => new FrameReader().push('x'.repeat(17 * 1024 * 1024))).toThrow('no end');
  });
});
