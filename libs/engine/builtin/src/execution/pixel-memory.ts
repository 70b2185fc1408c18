import { OutOfMemoryError } from './node-error.js';

/** Allocations below this are let through until they sum up to it: asking the runtime costs more than they do. */
const CHECK_EVERY_BYTES = 4 * 1024 * 1024;

/** Something that gives memory back when asked: how many bytes it let go. */
export interface Evictable {
  evict(bytes: number): number;
}

/**
 * The budget for array buffers of an engine process: pixels, decoded and encoded files. Counted by the runtime itself, so
 * that buffers of libraries are included; when it is short, the node cache is emptied first.
 */
export class PixelMemory {
  private unchecked = 0;

  constructor(
    private readonly limitBytes: number,
    private readonly cache: Evictable,
  ) {}

  pixels(samples: number): Float32Array<ArrayBuffer> {
    this.reserve(samples * Float32Array.BYTES_PER_ELEMENT);
    try {
      return new Float32Array(samples);
    } catch (error) {
      if (error instanceof RangeError) throw new OutOfMemoryError(samples * Float32Array.BYTES_PER_ELEMENT);
      throw error;
    }
  }

  reserve(bytes: number): void {
    this.unchecked += bytes;
    if (this.unchecked < CHECK_EVERY_BYTES) return;
    this.unchecked = 0;
    if (bytes > this.limitBytes) throw new OutOfMemoryError(bytes);
    if (this.excess(bytes) <= 0) return;
    globalThis.gc?.();
    let excess = this.excess(bytes);
    while (excess > 0) {
      if (this.cache.evict(excess) === 0) throw new OutOfMemoryError(bytes);
      globalThis.gc?.();
      excess = this.excess(bytes);
    }
  }

  private excess(bytes: number): number {
    return process.memoryUsage().arrayBuffers + bytes - this.limitBytes;
  }
}
