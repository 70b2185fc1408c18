import { OutOfMemoryError } from './node-error.js';

/** Allocations below this are let through until they sum up to it: asking the runtime costs more than they do. */
const CHECK_EVERY_BYTES = 4 * 1024 * 1024;

/** From this size on pixels are shared between threads. */
const SHARED_BYTES = 2 * 1024 * 1024;

/** So much may be taken before the runtime looks for pictures that nothing holds any more; looking takes milliseconds. */
const COLLECT_AFTER_BYTES = 96 * 1024 * 1024;

/** Of one picture that is kept to be written over. */
const MAX_SPARE_BYTES = 96 * 1024 * 1024;

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
  private uncollected = 0;
  private spare: SharedArrayBuffer | null = null;

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

  /**
   * For a caller that writes every sample: where an earlier picture of this size is of no use any more, its memory. The
   * first touch of fresh memory takes as long as the pixels of a simple node.
   */
  unwritten(samples: number): Float32Array {
    const { spare } = this;
    this.spare = null;
    return spare?.byteLength === samples * Float32Array.BYTES_PER_ELEMENT
      ? new Float32Array(spare)
      : this.pixels(samples);
  }

  /** A buffer that nothing uses any more. */
  reuse(buffer: ArrayBufferLike): void {
    if (buffer instanceof SharedArrayBuffer && buffer.byteLength <= MAX_SPARE_BYTES) this.spare = buffer;
  }

  reserve(bytes: number): void {
    this.unchecked += bytes;
    if (this.unchecked < CHECK_EVERY_BYTES) return;
    this.uncollected += this.unchecked;
    this.unchecked = 0;
    if (bytes > this.limitBytes) throw new OutOfMemoryError(bytes);
    // Pictures that nothing holds any more go before many others come, not only when memory is short.
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

  /** Before so many bytes are taken. */
  private collect(bytes: number): void {
    globalThis.gc?.();
    this.uncollected = bytes;
  }

  private excess(bytes: number): number {
    return process.memoryUsage().arrayBuffers + bytes - this.limitBytes;
  }
}
