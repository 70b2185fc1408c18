import fc from 'fast-check';
import { fixedSeed as seed } from '@heddle/testing-seed';
import { describe, expect, it } from 'vitest';
import { byteRange } from './byte-range.js';

const part = (start: number, end: number) => ({ kind: 'part', start, end });
const whole = { kind: 'whole' };
const unsatisfiable = { kind: 'unsatisfiable' };

describe('a Range of 1024 bytes (api-v2, content; decisions, Content response)', () => {
  it.each([
    ['bytes=0-4', part(0, 4)],
    ['bytes=1020-', part(1020, 1023)],
    ['bytes=-4', part(1020, 1023)],
    ['bytes=-5000', part(0, 1023)],
    ['bytes=1020-5000', part(1020, 1023)],
    ['BYTES= 3-3 ', part(3, 3)],
    [`bytes=0-${'9'.repeat(100)}`, part(0, 1023)],
    ['bytes=1024-', unsatisfiable],
    [`bytes=${'9'.repeat(100)}-`, unsatisfiable],
    ['bytes=-0', unsatisfiable],
    [`bytes=${'0-0,'.repeat(80)}1-1`, unsatisfiable],
    ['bytes=0-1,4-5', whole],
    ['bytes=5-2', whole],
    ['bytes=x', whole],
    ['bytes=-', whole],
    ['bytes=', whole],
    ['lines=1-2', whole],
    ['bytes=1-2-3', whole],
    ['bytes=+1-2', whole],
    [undefined, whole],
  ])('%s', (header, expected) => expect(byteRange(header, 1024)).toEqual(expected));

  it('is never satisfied by an asset of no bytes', () => {
    for (const header of ['bytes=0-0', 'bytes=0-', 'bytes=-1']) expect(byteRange(header, 0)).toEqual(unsatisfiable);
  });

  it('always names bytes that exist, whatever the header is', () => {
    console.info(`seed ${seed}`);
    const header = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
      fc.nat().map((n) => `bytes=-${n}`),
    );
    fc.assert(
      fc.property(header, fc.nat(), (given, size) => {
        const range = byteRange(given, size);
        if (range.kind !== 'part') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(size);
      }),
      { seed },
    );
  });
});
