import { OutOfMemoryError } from './node-error.js';

/** Smaller allocations are checked only when they sum up to this: a check costs more than the allocation. */
const CHECK_EVERY_BYTES = 4 * 1024 * 1024;

/** Minimum size of pixels that threads share */
const SHARED_BYTES = 2 * 1024 * 1024;

/** Bytes to allocate before a garbage collection, which takes milliseconds */
const COLLECT_AFTER_BYTES = 96 * 1024 * 1024;

/** Maximum size of a kept buffer for reuse */
const MAX_SPARE_BYTES = 96 * 1024 * 1024;

/** Memory that can be released on demand; returns the released bytes. */
interface Evictable {
  evict(bytes: number): number;
}

/**
 * Memory budget for array buffers of an engine process: pixels, decoded and encoded files. The runtime counts them, so that
 * buffers of libraries are included. When memory is short, the node cache is evicted first.
 */
export class PixelMemory {
  private unchecked = 0;
  private uncollected = 0;
  private spare: SharedArrayBuffer | null = null;

  constructor(
    private readonly limitBytes: number,
    private readonly cache: Evictable,
  ) {}

  /** Allocates zeroed samples; large ones in memory that threads share. */
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

  /**
   * For a caller that writes every sample: reuses the memory of an unused picture of this size, if there is one. The first
   * touch of new memory takes as long as the pixels of a simple node.
   */
  unwritten(samples: number): Float32Array {
    const { spare } = this;
    this.spare = null;
    return spare?.byteLength === samples * Float32Array.BYTES_PER_ELEMENT
      ? new Float32Array(spare)
      : this.pixels(samples);
  }

  /** Takes a buffer that is not used any more. */
  reuse(buffer: ArrayBufferLike): void {
    if (buffer instanceof SharedArrayBuffer && buffer.byteLength <= MAX_SPARE_BYTES) this.spare = buffer;
  }

  reserve(bytes: number): void {
    this.unchecked += bytes;
    if (this.unchecked < CHECK_EVERY_BYTES) return;
    this.uncollected += this.unchecked;
    this.unchecked = 0;
    if (bytes > this.limitBytes) throw new OutOfMemoryError(bytes);
    // Collects unused pictures regularly, not only when memory is short.
    if (this.uncollected > COLLECT_AFTER_BYTES) this.collect(bytes);
    if (this.excess(bytes) <= 0) return;
    this.spare = null;
    this.collect(bytes);
    let excess = this.excess(bytes);
    while (excess > 0) {
      if (this.cache.evict(excess) === 0) throw new OutOfMemoryError(bytes);
      this.spare = null;
      this.collect(bytes);
      excess = this.excess(bytes);
    }
  }

  /** Collects garbage before an allocation of this size. */
  private collect(bytes: number): void {
    globalThis.gc?.();
    this.uncollected = bytes;
  }

  private excess(bytes: number): number {
    return process.memoryUsage().arrayBuffers + bytes - this.limitBytes;
  }
}
