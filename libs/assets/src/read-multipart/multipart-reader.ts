import { malformed } from './multipart-limits.js';
import type { MultipartLimits, MultipartRefusal } from './multipart-limits.js';
import { readPartHead } from './part-head.js';

/** Receives the parts of a body as they arrive. Slices are views of the pushed chunks. */
interface MultipartSink {
  field(name: string, value: string): void;
  fileStart(): void;
  fileData(slice: Buffer): void;
  fileEnd(): void;
}

type State = 'preamble' | 'delimiter' | 'head' | 'file' | 'field' | 'epilogue';

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Parses a multipart/form-data body of one `file` and some short fields (RFC 7578), chunk by chunk and without copying
 * the file: its bytes are passed on as slices of the chunks. A delimiter begins with CR and contains no other, so a
 * partial delimiter is just a number of matched bytes.
 */
export class MultipartReader {
  readonly #delimiter: Buffer;
  readonly #block: Buffer;
  readonly #names = new Set<string>();
  #state: State = 'preamble';
  /** Matched bytes of the delimiter at the end of the last chunk; the first delimiter needs no preceding line break. */
  #matched = 2;
  #blockUsed = 0;
  #afterDelimiter: 'start' | 'dash' | 'padding' | 'return' = 'start';
  #partName = '';
  #tags = 0;
  #fileBytes = 0;
  #totalBytes = 0;
  #refusal: MultipartRefusal | null = null;

  constructor(
    boundary: string,
    private readonly limits: MultipartLimits,
    private readonly sink: MultipartSink,
  ) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    this.#block = Buffer.allocUnsafe(Math.max(limits.headBytes + 2 * HEAD_END.length, limits.fieldBytes));
  }

  /** Parses the next bytes; a refusal is final. */
  push(chunk: Buffer): MultipartRefusal | null {
    this.#totalBytes += chunk.length;
    if (this.#totalBytes > this.limits.totalBytes) {
      this.#refuse({ kind: 'too_large', what: 'upload', limit: this.limits.totalBytes });
    }
    let at = 0;
    while (at < chunk.length && this.#refusal === null) {
      switch (this.#state) {
        case 'delimiter':
          at = this.#readAfterDelimiter(chunk, at);
          break;
        case 'head':
          at = this.#readHead(chunk, at);
          break;
        case 'epilogue':
          return null;
        case 'preamble':
        case 'file':
        case 'field':
          at = this.#readUntilDelimiter(chunk, at);
      }
    }
    return this.#refusal;
  }

  /** The body has ended: it is complete only if its final boundary and a file were seen. */
  end(): MultipartRefusal | null {
    if (this.#refusal !== null) return this.#refusal;
    if (this.#state !== 'epilogue') return malformed('the body ends before its final boundary');
    return null;
  }

  #refuse(refusal: MultipartRefusal): void {
    this.#refusal ??= refusal;
  }

  #readUntilDelimiter(chunk: Buffer, from: number): number {
    const delimiter = this.#delimiter;
    let at = from;
    if (this.#matched > 0) {
      const before = this.#matched;
      while (at < chunk.length && this.#matched < delimiter.length && chunk[at] === delimiter[this.#matched]) {
        at += 1;
        this.#matched += 1;
      }
      if (this.#matched === delimiter.length) return this.#endPart(at);
      if (at === chunk.length) return at;
      this.#matched = 0;
      this.#data(delimiter.subarray(0, before));
      at = from;
    }
    const found = chunk.indexOf(delimiter, at);
    if (found >= 0) {
      if (found > at) this.#data(chunk.subarray(at, found));
      return this.#endPart(found + delimiter.length);
    }
    this.#matched = this.#delimiterStartAtEnd(chunk, at);
    const end = chunk.length - this.#matched;
    if (end > at) this.#data(chunk.subarray(at, end));
    return chunk.length;
  }

  /** Number of bytes at the end of the chunk that may start a delimiter. */
  #delimiterStartAtEnd(chunk: Buffer, from: number): number {
    const tail = chunk.subarray(Math.max(from, chunk.length - this.#delimiter.length + 1));
    const start = tail.lastIndexOf(CR);
    if (start < 0) return 0;
    const length = tail.length - start;
    return tail.compare(this.#delimiter, 0, length, start) === 0 ? length : 0;
  }

  #data(slice: Buffer): void {
    if (this.#state === 'file') {
      this.#fileBytes += slice.length;
      if (this.#fileBytes > this.limits.fileBytes) {
        this.#refuse({ kind: 'too_large', what: 'file', limit: this.limits.fileBytes });
      } else if (this.#refusal === null) {
        this.sink.fileData(slice);
      }
      return;
    }
    const preamble = this.#state === 'preamble';
    if (this.#blockUsed + slice.length > (preamble ? this.limits.headBytes : this.limits.fieldBytes)) {
      this.#refuse(
        preamble
          ? malformed('the body does not begin with its boundary')
          : malformed(`must be at most ${this.limits.fieldBytes} bytes`, this.#partName),
      );
      return;
    }
    if (!preamble) slice.copy(this.#block, this.#blockUsed);
    this.#blockUsed += slice.length;
  }

  #endPart(at: number): number {
    if (this.#state === 'file') this.sink.fileEnd();
    if (this.#state === 'field') this.#endField();
    this.#matched = 0;
    this.#afterDelimiter = 'start';
    this.#state = 'delimiter';
    return at;
  }

  #endField(): void {
    try {
      const value = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        this.#block.subarray(0, this.#blockUsed),
      );
      this.sink.field(this.#partName, value);
    } catch {
      this.#refuse(malformed('must be UTF-8 text', this.#partName));
    }
  }

  /** `--` ends the body; padding and a line break start a part. */
  #readAfterDelimiter(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      const blank = byte === 0x20 || byte === 0x09;
      if (this.#afterDelimiter === 'start' && byte === DASH) this.#afterDelimiter = 'dash';
      else if (this.#afterDelimiter === 'dash' && byte === DASH) {
        this.#state = 'epilogue';
        return at + 1;
      } else if ((this.#afterDelimiter === 'start' || this.#afterDelimiter === 'padding') && blank) {
        this.#afterDelimiter = 'padding';
      } else if ((this.#afterDelimiter === 'start' || this.#afterDelimiter === 'padding') && byte === CR) {
        this.#afterDelimiter = 'return';
      } else if (this.#afterDelimiter === 'return' && byte === LF) {
        // The line break is kept: a part without headers then ends with an empty line like every other header block.
        HEAD_END.copy(this.#block, 0, 0, 2);
        this.#blockUsed = 2;
        this.#state = 'head';
        return at + 1;
      } else {
        this.#refuse(malformed('a boundary must be followed by a line break'));
        return chunk.length;
      }
    }
    return chunk.length;
  }

  #readHead(chunk: Buffer, from: number): number {
    const before = this.#blockUsed;
    const room = this.limits.headBytes + 2 + HEAD_END.length - before;
    const copied = chunk.copy(this.#block, before, from, Math.min(chunk.length, from + room));
    this.#blockUsed += copied;
    const end = this.#block.subarray(0, this.#blockUsed).indexOf(HEAD_END, Math.max(0, before - 3));
    if (end < 0) {
      if (copied === room) this.#refuse(malformed(`the header block of a part is over ${this.limits.headBytes} bytes`));
      return from + copied;
    }
    this.#beginPart(this.#block.toString('latin1', 2, Math.max(2, end)));
    this.#blockUsed = 0;
    return from + end + HEAD_END.length - before;
  }

  #beginPart(block: string): void {
    const head = readPartHead(block);
    if (!('name' in head)) return this.#refuse(head);
    const { name } = head;
    if (name === 'tags') {
      this.#tags += 1;
      if (this.#tags > this.limits.tags) this.#refuse(malformed(`must be at most ${this.limits.tags} parts`, name));
    } else if (this.#names.has(name)) {
      this.#refuse(malformed('must be one part', name));
    } else if (this.#names.size === this.limits.parts) {
      this.#refuse(malformed(`the body has more than ${this.limits.parts} parts`));
    }
    if (this.#refusal !== null) return;
    if (name !== 'tags') this.#names.add(name);
    this.#partName = name;
    this.#state = name === 'file' ? 'file' : 'field';
    if (name === 'file') this.sink.fileStart();
  }
}
