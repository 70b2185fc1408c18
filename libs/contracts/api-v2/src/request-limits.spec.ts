import { describe, expect, it } from 'vitest';
import { isLabelKey, labelValueProblem } from './request-limits.js';

describe("a label's key", () => {
  it('holds letters, digits and three more characters, wherever they stand', () => {
    const allowed = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-';
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const character = String.fromCharCode(unit);
      const expected = allowed.includes(character);
      for (const key of [character, `${character}k`, `k${character}`, `k${character}k`]) {
        if (isLabelKey(key) !== expected) expect.fail(`U+${unit.toString(16)}`);
      }
    }
  });

  it.each([
    ['k', true],
    ['k'.repeat(64), true],
    ['__proto__', true],
    ['', false],
    ['k'.repeat(65), false],
    ['k\n', false],
    ['ü', false],
  ])('%j: %s', (key, expected) => expect(isLabelKey(key)).toBe(expected));
});

describe("a label's value", () => {
  it('holds no control character and none that changes the direction of text', () => {
    const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const text = String.fromCharCode(unit);
      const expected = /\p{Cc}/u.test(text) || direction.test(text) ? 'characters' : null;
      if (labelValueProblem(text) !== expected) expect.fail(`U+${unit.toString(16)}`);
    }
  });

  it('has up to 512 code points', () => {
    expect(labelValueProblem('😀'.repeat(512))).toBeNull();
    expect(labelValueProblem('😀'.repeat(513))).toBe('too_long');
    expect(labelValueProblem(`${'x'.repeat(512)}\n`)).toBe('too_long');
  });
});
