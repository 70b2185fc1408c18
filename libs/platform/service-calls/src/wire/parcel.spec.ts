import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerJson } from './call-headers.js';
import { cutBytes, decodeParts, encodeParts, MalformedParcelError } from './parcel.js';

/** Any UTF-16 text, lone surrogates too. */
const text = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((u) => String.fromCharCode(...u));
const bytes = fc.uint8Array({ maxLength: 300 });
const parcel = fc.record({ head: fc.jsonValue(), bytes: fc.array(bytes, { maxLength: 4 }) });

describe('parcels', () => {
  it('come out as they went in, with their bytes cut where the head says', () => {
    fc.assert(
      fc.property(parcel, ({ head, bytes: pieces }) => {
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
      expect(() => decodeParts(whole.subarray(0, length))).toThrow(MalformedParcelError);
    }
    expect(() => cutBytes(Buffer.alloc(3), [2])).toThrow(MalformedParcelError);
    expect(() => cutBytes(Buffer.alloc(3), [2, 2])).toThrow(MalformedParcelError);
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
