import { randomBytes, randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { GatheredBytes } from './gathered-bytes.js';

it.each([1, 100, 65_536, 200_000])(
  'gathers chunks of up to %i bytes as they came, in no more than it said',
  (largest) => {
    const gathered = new GatheredBytes(1_000_000);
    const chunks: Buffer[] = [];
    for (let size = 0; size < 300_000 && chunks.length < 20_000;) {
      const chunk = randomBytes(randomInt(1, largest + 1));
      size += chunk.length;
      chunks.push(chunk);
      const held = gathered.heldWith(chunk);
      gathered.add(Buffer.from(chunk));
      expect(held).toBeGreaterThanOrEqual(gathered.size);
      expect(held).toBeLessThan(gathered.size + 65_536);
    }
    expect(gathered.bytes().equals(Buffer.concat(chunks))).toBe(true);
    expect(gathered.isFinelyCut).toBe(largest === 1);
  },
);

it('takes no more than the limit, and frees the chunks that it was given', () => {
  const gathered = new GatheredBytes(100_000, true);
  const chunks = [60_000, 30_000, 10_000].map((bytes) => Buffer.alloc(bytes));
  const held = chunks.map((chunk) => {
    const bytes = gathered.heldWith(chunk);
    gathered.add(chunk);
    return bytes;
  });
  expect(held).toEqual([60_000, 100_000, 100_000]);
  expect(chunks.map(({ length }) => length)).toEqual([0, 0, 0]);
  expect(gathered.bytes().length).toBe(100_000);
});

it('leaves chunks alone that somebody else may read', () => {
  const gathered = new GatheredBytes(100_000);
  const chunks = [Buffer.alloc(10_000), Buffer.alloc(10_000)];
  for (const chunk of chunks) gathered.add(chunk);
  gathered.drop();
  expect(chunks.map(({ length }) => length)).toEqual([10_000, 10_000]);
});

it('frees everything at once when it is dropped', () => {
  const gathered = new GatheredBytes(1_000_000, true);
  const whole = Buffer.alloc(70_000);
  gathered.add(whole);
  gathered.drop();
  expect([whole.length, gathered.size]).toEqual([0, 0]);
});

it('does not copy a body that is one chunk', () => {
  const chunk = randomBytes(10);
  const gathered = new GatheredBytes(1_000_000);
  gathered.add(chunk);
  expect(gathered.bytes()).toBe(chunk);
});
