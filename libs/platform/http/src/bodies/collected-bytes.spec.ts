import { randomBytes, randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { CollectedBytes } from './collected-bytes.js';

it.each([1, 100, 65_536, 200_000])(
  'collects chunks of up to %i bytes as they came, in no more than it said',
  (largest) => {
    const collected = new CollectedBytes(1_000_000);
    const chunks: Buffer[] = [];
    for (let size = 0; size < 300_000 && chunks.length < 20_000;) {
      const chunk = randomBytes(randomInt(1, largest + 1));
      size += chunk.length;
      chunks.push(chunk);
      const held = collected.heldWith(chunk);
      collected.add(Buffer.from(chunk));
      expect(held).toBeGreaterThanOrEqual(collected.size);
      expect(held).toBeLessThan(collected.size + 65_536);
    }
    expect(collected.bytes().equals(Buffer.concat(chunks))).toBe(true);
    expect(collected.isFinelyCut).toBe(largest === 1);
  },
);

it('takes no more than the limit, and frees the chunks that it was given', () => {
  const collected = new CollectedBytes(100_000, true);
  const chunks = [60_000, 30_000, 10_000].map((bytes) => Buffer.alloc(bytes));
  const held = chunks.map((chunk) => {
    const bytes = collected.heldWith(chunk);
    collected.add(chunk);
    return bytes;
  });
  expect(held).toEqual([60_000, 100_000, 100_000]);
  expect(chunks.map(({ length }) => length)).toEqual([0, 0, 0]);
  expect(collected.bytes().length).toBe(100_000);
});

it('leaves chunks alone that somebody else may read', () => {
  const collected = new CollectedBytes(100_000);
  const chunks = [Buffer.alloc(10_000), Buffer.alloc(10_000)];
  for (const chunk of chunks) collected.add(chunk);
  collected.drop();
  expect(chunks.map(({ length }) => length)).toEqual([10_000, 10_000]);
});

it('frees everything at once when it is dropped', () => {
  const collected = new CollectedBytes(1_000_000, true);
  const whole = Buffer.alloc(70_000);
  collected.add(whole);
  collected.drop();
  expect([whole.length, collected.size]).toEqual([0, 0]);
});

it('does not copy a body that is one chunk', () => {
  const chunk = randomBytes(10);
  const collected = new CollectedBytes(1_000_000);
  collected.add(chunk);
  expect(collected.bytes()).toBe(chunk);
});
