import { describe, expect, it } from 'vitest';
import { Image } from '../values/image.js';
import { NodeCache, type NodeResult } from './node-cache.js';
import { OutOfMemoryError } from './node-error.js';
import { PixelMemory } from './pixel-memory.js';

const KIBIBYTE = 1024;

describe('the cache of node results', () => {
  it('stays below its limit and lets the least recently used go first', () => {
    const cache = new NodeCache(100 * KIBIBYTE);
    for (const key of ['a', 'b', 'c']) cache.put(key, picture(30));
    cache.get('a');
    cache.put('d', picture(30));
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.has(key))).toEqual(['a', 'c', 'd']);
    expect(cache.sizeBytes).toBeLessThanOrEqual(100 * KIBIBYTE);
  });

  it('counts a picture that two nodes gave only once', () => {
    const cache = new NodeCache(100 * KIBIBYTE);
    const shared = picture(60);
    cache.put('a', shared);
    cache.put('b', { ...shared });
    expect(cache.has('a') && cache.has('b')).toBe(true);
    cache.evict(1);
    cache.evict(100 * KIBIBYTE);
    expect(cache.sizeBytes).toBe(0);
  });

  it('does not keep what is larger than the limit', () => {
    const cache = new NodeCache(10 * KIBIBYTE);
    cache.put('a', picture(60));
    expect(cache.has('a')).toBe(false);
    expect(cache.sizeBytes).toBe(0);
  });

  it('counts texts and files too', () => {
    const cache = new NodeCache(10 * KIBIBYTE);
    cache.put('a', { slots: [['x'.repeat(6 * KIBIBYTE)]], shown: [] });
    expect(cache.has('a')).toBe(false);
  });

  it('reports a buffer once neither an entry nor the run holds it', () => {
    const freed: ArrayBufferLike[] = [];
    const cache = new NodeCache(100 * KIBIBYTE, (buffer) => freed.push(buffer));
    const [used, passedOn, idle] = [picture(40), picture(30), picture(20)];
    cache.use(used);
    // Two results of the run hold the same picture.
    cache.use(passedOn);
    cache.use({ ...passedOn });
    cache.put('used', used);
    cache.put('idle', idle);
    cache.evict(100 * KIBIBYTE);
    expect(freed).toEqual([bufferOf(idle)]);
    cache.release(used);
    cache.release(passedOn);
    expect(freed).toEqual([bufferOf(idle), bufferOf(used)]);
    cache.put('passed on', passedOn);
    cache.release(passedOn);
    expect(freed).toHaveLength(2);
    cache.put('passed on', picture(1));
    expect(freed).toEqual([bufferOf(idle), bufferOf(used), bufferOf(passedOn)]);
  });

  it('replaces an entry of the same key', () => {
    const cache = new NodeCache(100 * KIBIBYTE);
    cache.put('a', picture(60));
    cache.put('a', picture(20));
    expect(cache.sizeBytes).toBeLessThan(22 * KIBIBYTE);
  });
});

describe('the memory budget', () => {
  it('refuses more than there is, before it is taken', () => {
    const memory = new PixelMemory(1024 * KIBIBYTE, new NodeCache(0));
    expect(() => memory.pixels(2 ** 40)).toThrow(OutOfMemoryError);
    expect(() => memory.reserve(Number.POSITIVE_INFINITY)).toThrow(OutOfMemoryError);
  });

  it('gives the memory of a picture that went to one of the same size that is written whole, and to nothing else', () => {
    const memory = new PixelMemory(256 * 1024 * KIBIBYTE, new NodeCache(0));
    const [samples, other] = [1024 * KIBIBYTE, 1024 * KIBIBYTE + 1];
    const went = memory.pixels(samples).fill(0.5);
    memory.reuse(went.buffer);
    expect(memory.pixels(samples)[0]).toBe(0);
    const again = memory.unwritten(samples);
    expect(again.buffer).toBe(went.buffer);
    expect(memory.unwritten(samples).buffer).not.toBe(went.buffer);
    memory.reuse(went.buffer);
    expect([memory.unwritten(other).length, memory.unwritten(samples).buffer === went.buffer]).toEqual([other, false]);
  });
});

function bufferOf({ slots }: NodeResult): ArrayBufferLike {
  return (slots[0]![0] as Image).data.buffer;
}

function picture(kibibytes: number): NodeResult {
  return { slots: [[new Image([1, 1, kibibytes * 256, 1], new Float32Array(kibibytes * 256))]], shown: [] };
}
