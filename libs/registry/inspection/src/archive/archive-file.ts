import { type FileHandle, open } from 'node:fs/promises';
import { ArchiveProblem } from './archive-problem.js';

/** The entries of an archive mostly follow each other: a window saves two of three reads of small ones. */
const WINDOW_BYTES = 256 * 1024;

/** An uploaded file, read at any place. */
export class ArchiveFile {
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;

  private constructor(
    private readonly file: FileHandle,
    readonly path: string,
    readonly bytes: number,
  ) {}

  /** Runs `work` on the file at `path`, and closes it. */
  static async use<T>(path: string, work: (file: ArchiveFile) => Promise<T>): Promise<T> {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      return await work(new ArchiveFile(file, path, size));
    } finally {
      await file.close();
    }
  }

  /** `length` bytes from `position`. Throws an ArchiveProblem where the file ends before. */
  async read(position: number, length: number): Promise<Buffer> {
    if (!(position >= 0 && position + length <= this.bytes)) {
      throw new ArchiveProblem('The archive cannot be read: it ends too early. Upload the whole file.');
    }
    if (position < this.#windowStart || position + length > this.#windowStart + this.#window.length) {
      const wanted = Math.min(Math.max(length, WINDOW_BYTES), this.bytes - position);
      this.#window = await this.#fill(position, wanted);
      this.#windowStart = position;
    }
    return this.#window.subarray(position - this.#windowStart, position - this.#windowStart + length);
  }

  async #fill(position: number, length: number): Promise<Buffer> {
    // A buffer of its own: parts of an earlier window may still be in use.
    const buffer = Buffer.allocUnsafe(length);
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await this.file.read(buffer, filled, length - filled, position + filled);
      if (bytesRead === 0) throw new Error(`${this.path} was cut short while it was read`);
      filled += bytesRead;
    }
    return buffer;
  }
}
