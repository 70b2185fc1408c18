/** One frame of an event stream. */
export interface Frame {
  readonly event: string;
  readonly data: string;
}

/** A preview of several mebibytes is valid; a line without end is not. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Splits a text/event-stream into frames as chunks arrive. Comments, `id` and `retry` are ignored. */
export class FrameReader {
  private rest = '';
  private event = '';
  private data: string[] = [];
  private size = 0;

  /** The frames completed by this chunk. Throws if a frame exceeds its limit. */
  push(chunk: string): Frame[] {
    const frames: Frame[] = [];
    const text = this.rest + chunk;
    // A trailing carriage return may be half of a line end.
    const complete = text.endsWith('\r') ? text.length - 1 : text.length;
    let start = 0;
    for (const match of text.slice(0, complete).matchAll(/\r\n|\n|\r/g)) {
      const frame = this.line(text.slice(start, match.index));
      if (frame !== null) frames.push(frame);
      start = match.index + match[0].length;
    }
    this.rest = text.slice(start);
    if (this.rest.length + this.size > MAX_CHARACTERS) throw new Error('a frame of the event stream has no end');
    return frames;
  }

  private line(line: string): Frame | null {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.event = value;
    if (field === 'data') {
      this.data.push(value);
      this.size += value.length;
    }
    return null;
  }

  private dispatch(): Frame | null {
    const frame = this.data.length === 0 ? null : { event: this.event || 'message', data: this.data.join('\n') };
    this.event = '';
    this.data = [];
    this.size = 0;
    return frame;
  }
}
