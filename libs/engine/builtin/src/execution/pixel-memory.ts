import { OutOfMemoryError } from './node-error.js';

/** Allocations below this are let through until they sum up to it: asking the runtime costs more than they do. */
const CHECK_EVERY_BYTES = 4 * 1024 * 1024;

/** From this size on pixels are shared between threads. */
const SHARED_BYTES = 2 * 1024 * 1024;

/** Making room for one of this size costs less than filling it. */
const LARGE_BYTES = 16 * 1024 * 1024;

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

  /** Zeroed samples; many of them lie in memory that a second thread can see. */
  pixels(samples: number): Float32Array {
    const bytes = samples * Float32Array.BYTES_PER_ELEMENT;
    this.reserve(bytes);
    try {
      return new Float32Array(bytes < SHARED_BYTES ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes));
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
    // Pictures that nothing holds any more go before a large one comes, not only when memory is short.
    if (bytes >= LARGE_BYTES) globalThis.gc?.();
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
