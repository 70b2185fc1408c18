import { describe, expect, it } from 'vitest';
import { byteRangeOf } from './byte-range.js';

describe('the range of a request', () => {
  it.each([
    [null, null],
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['bytes=50-1000', { first: 50, last: 99 }],
    ['bytes=100-', 'bad'],
    ['bytes=9-5', 'bad'],
    ['bytes=-', 'bad'],
    ['bytes=-0', 'bad'],
    ['bytes=0-1,4-5', 'bad'],
    ['lines=0-1', 'bad'],
  ])('of 100 bytes by %s', (header, expected) => {
    expect(byteRangeOf(header, 100)).toEqual(expected);
  });

  it('of nothing is bad', () => {
    expect(byteRangeOf('bytes=0-', 0)).toBe('bad');
  });
});
