import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SegmentLine } from './segment-line.js';

const DAY_MS = 86_400_000;
const BUFFER_BYTES = 128 * 1024;
/** 16 MiB: a segment has some ten parts, but one of a log that nobody uses may have thousands. */
const MAX_BUFFERS = 128;

/** The events of one day and type in a segment: lines in a file, and what the manifest says of them. */
export interface SegmentPart {
  readonly day: string;
  readonly type: string;
  /** Lines of `LINE_FIELDS`. */
  readonly lines: string;
  events: number;
  minSeq: number;
  maxSeq: number;
  minAt: number;
  maxAt: number;
}

interface OpenPart extends SegmentPart {
  buffer: Buffer | null;
  filled: number;
}

/** Buffers of all segments: their memory is outside the heap, and is freed only when the heap happens to be collected. */
const spare: Buffer[] = [];

/** Sorts the lines of a segment into a file per day and type as they come, so that DuckDB reads each line once. */
export class SegmentParts {
  readonly #parts: OpenPart[] = [];
  readonly #byDay = new Map<number, Map<string, OpenPart>>();
  #buffers = 0;

  /** `folder` exists. */
  constructor(private readonly folder: string) {}

  /** Copies the line. */
  take({ type, recordedAt: at, seq, line }: SegmentLine): void {
    const part = this.#part(type, Math.floor(at / DAY_MS));
    part.events += 1;
    if (seq < part.minSeq) part.minSeq = seq;
    if (seq > part.maxSeq) part.maxSeq = seq;
    if (at < part.minAt) part.minAt = at;
    if (at > part.maxAt) part.maxAt = at;
    this.#append(part, line);
  }

  /** Writes what is left in memory. Ordered by day and type. */
  finish(): readonly SegmentPart[] {
    this.#flushAll();
    const name = ({ day, type }: SegmentPart): string => `${day} ${type}`;
    return this.#parts.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
  }

  #part(type: string, day: number): OpenPart {
    const known = this.#byDay.get(day)?.get(type);
    if (known !== undefined) return known;
    const part = {
      day: new Date(day * DAY_MS).toISOString().slice(0, 10),
      type,
      lines: join(this.folder, `${this.#parts.length + 1}.tsv`),
      events: 0,
      minSeq: Infinity,
      maxSeq: -Infinity,
      minAt: Infinity,
      maxAt: -Infinity,
      buffer: null,
      filled: 0,
    };
    this.#parts.push(part);
    this.#byDay.set(day, (this.#byDay.get(day) ?? new Map<string, OpenPart>()).set(type, part));
    return part;
  }

  #append(part: OpenPart, line: Buffer): void {
    if (part.filled + line.length > BUFFER_BYTES) flush(part);
    if (line.length > BUFFER_BYTES) {
      append(part.lines, line);
      return;
    }
    if (part.buffer === null) {
      if (this.#buffers === MAX_BUFFERS) this.#flushAll();
      part.buffer = spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
      this.#buffers += 1;
    }
    part.filled += line.copy(part.buffer, part.filled);
  }

  #flushAll(): void {
    for (const part of this.#parts) {
      if (part.buffer === null) continue;
      flush(part);
      spare.push(part.buffer);
      part.buffer = null;
    }
    this.#buffers = 0;
  }
}

function flush(part: OpenPart): void {
  if (part.filled > 0) append(part.lines, part.buffer!.subarray(0, part.filled));
  part.filled = 0;
}

function append(path: string, bytes: Buffer): void {
  try {
    appendFileSync(path, bytes);
  } catch (error) {
    // A failed write does not name its file.
    throw Object.assign(error as Error, { path });
  }
}
