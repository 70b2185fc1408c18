import { randomBytes, randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { GatheredBytes } from './gathered-bytes.js';

it.each([1, 100, 65_536, 200_000])(
  'gathers chunks of up to %i bytes as they came, in no more than it said',
  (largest) => {
    const gathered = new GatheredBytes(0);
    const chunks: Buffer[] = [];
    for (let size = 0; size < 300_000 && chunks.length < 20_000;) {
      const chunk = randomBytes(randomInt(1, largest + 1));
      size += chunk.length;
      chunks.push(chunk);
      const held = gathered.heldWith(chunk);
      gathered.add(chunk);
      expect(held).toBeGreaterThanOrEqual(gathered.size);
      expect(held).toBeLessThanOrEqual(Math.max(2 * gathered.size, 65_536, largest));
    }
    expect(gathered.bytes().equals(Buffer.concat(chunks))).toBe(true);
    expect(gathered.isFinelyCut).toBe(largest === 1);
  },
);

it('holds of an announced length what has come', () => {
  const gathered = new GatheredBytes(100_000);
  for (const bytes of [60_000, 30_000, 10_000]) {
    const chunk = randomBytes(bytes);
    expect(gathered.heldWith(chunk)).toBe(gathered.size + bytes);
    gathered.add(chunk);
  }
  expect(gathered.bytes().length).toBe(100_000);
});

it('does not copy a body that is one chunk', () => {
  const chunk = randomBytes(10);
  const gathered = new GatheredBytes(0);
  gathered.add(chunk);
  expect(gathered.bytes()).toBe(chunk);
});
