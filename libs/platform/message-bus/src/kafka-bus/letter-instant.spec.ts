import { describe, expect, it } from 'vitest';
import { instantOf } from './dead-letter-box.js';

describe('when a letter died', () => {
  it.each([
    ['1700000000000', '2023-11-14T22:13:20.000Z'],
    ['8640000000000001', '+275760-09-13T00:00:00.000Z'],
    ['9223372036854775807', '+275760-09-13T00:00:00.000Z'],
    ['-9223372036854775808', '-271821-04-20T00:00:00.000Z'],
  ])('is told for the timestamp %s, which any producer sets', (timestamp, instant) =>
    expect(instantOf(timestamp)).toBe(instant),
  );
});
