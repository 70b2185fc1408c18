import { describe, expect, it } from 'vitest';
import { sayLine } from './wrap-words.js';

describe('what a service says to people', () => {
  const text = 'port 8189 is in use by process 4711: stop that process, or set HEDDLE_PORT to another port';

  it('is broken between words on a terminal, and one line elsewhere', () => {
    expect(sayLine(text, {})).toBe(`heddle: ${text}\n`);
    const lines = sayLine(text, { isTTY: true, columns: 60 }).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    expect(lines.map((line) => line.trim()).join(' ')).toBe(`heddle: ${text}`);
  });
});
