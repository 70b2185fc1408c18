import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEAT, encodeFrame, FrameReader } from './call-frames.js';
import { headerJson } from './call-headers.js';
import { cutBytes, decodeParts, encodeParts, MalformedMessageError } from './call-message.js';

/** Any UTF-16 text, lone surrogates too. */
const text = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((u) => String.fromCharCode(...u));
const bytes = fc.uint8Array({ maxLength: 300 });
const message = fc.record({ head: fc.jsonValue(), bytes: fc.array(bytes, { maxLength: 4 }) });

describe('messages', () => {
  it('come out as they went in, with their bytes cut where the head says', () => {
    fc.assert(
      fc.property(message, ({ head, bytes: pieces }) => {
        const lengths = pieces.map((piece) => piece.length);
        const decoded = decodeParts(encodeParts({ head, bytes: pieces }));
        expect(decoded.head).toEqual(JSON.parse(JSON.stringify(head)));
        expect(cutBytes(decoded.bytes, lengths).map((piece) => [...piece])).toEqual(pieces.map((piece) => [...piece]));
      }),
    );
  });

  it('that are cut short or have another length than they say are malformed', () => {
    const whole = encodeParts({ head: { a: 1 } });
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => decodeParts(whole.subarray(0, length))).toThrow(MalformedMessageError);
    }
    expect(() => cutBytes(Buffer.alloc(3), [2])).toThrow(MalformedMessageError);
    expect(() => cutBytes(Buffer.alloc(3), [2, 2])).toThrow(MalformedMessageError);
  });

  it('fit into a header whatever their text', () => {
    fc.assert(
      fc.property(text, (value) => {
        const header = headerJson({ value });
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(JSON.parse(header)).toEqual({ value });
      }),
    );
  });
});

describe('frames', () => {
  it('are put together from chunks of any size, signs of life left out', () => {
    fc.assert(
      fc.property(fc.array(fc.option(message), { maxLength: 6 }), fc.infiniteStream(fc.nat(40)), (sent, sizes) => {
        const wire = Buffer.concat(sent.flatMap((one) => (one === null ? [BEAT] : encodeFrame(one))));
        const reader = new FrameReader();
        const frames = [];
        for (let at = 0; at < wire.length;) {
          const size = 1 + (sizes.next().value as number);
          frames.push(...reader.push(wire.subarray(at, at + size)));
          at += size;
        }
        const expected = sent.filter((one) => one !== null);
        expect(frames.map(({ head }) => head)).toEqual(expected.map(({ head }) => JSON.parse(JSON.stringify(head))));
        expect(frames.map((frame) => frame.bytes.length)).toEqual(
          expected.map((one) => one.bytes.reduce((sum, piece) => sum + piece.length, 0)),
        );
      }),
    );
  });

  it('that claim to be endless are refused before they are awaited', () => {
    expect(() => new FrameReader().push(Buffer.from([0xff, 0xff, 0xff, 0xff]))).toThrow(MalformedMessageError);
  });
});
