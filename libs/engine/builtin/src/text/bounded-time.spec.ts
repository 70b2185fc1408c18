import { describe, expect, it } from 'vitest';
import { withinTime } from './bounded-time.js';

describe('a search within bounded time', () => {
  it('gives what the search gave', () => {
    expect(withinTime(() => /b+/.exec('abbb')?.[0])).toBe('bbb');
  });

  it('passes an error of the search on', () => {
    const search = (): never => {
      throw new RangeError('its own');
    };
    expect(() => withinTime(search)).toThrow(RangeError);
  });

  it('breaks one off that goes back and forth for ever, and the next one works', () => {
    const text = `${'a'.repeat(64)}!`;
    expect(() => withinTime(() => /^(a+)+$/u.test(text), 50)).toThrow('took longer than 0.05 s');
    expect(withinTime(() => /a/.test(text))).toBe(true);
  });
});
