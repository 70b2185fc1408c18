import type { StreamSocket } from './event-stream.js';

export interface RecordedFrame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client's connection that records what is written to it; while it stalls, what is written stays unsent. */
export class RecordedSocket implements StreamSocket {
  destroyed = false;
  writableLength = 0;
  stalled = false;
  mostUnsent = 0;
  #text = '';
  #listeners: (() => void)[] = [];

  write(bytes: Uint8Array): boolean {
    this.#text += Buffer.from(bytes).toString('utf8');
    if (this.stalled) this.writableLength += bytes.length;
    this.mostUnsent = Math.max(this.mostUnsent, this.writableLength);
    return this.writableLength === 0;
  }

  on(_event: 'drain', listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The client reads everything, as the operating system would tell. */
  drain(): void {
    this.stalled = false;
    if (this.writableLength === 0) return;
    this.writableLength = 0;
    for (const listener of this.#listeners) listener();
  }

  setTimeout(): void {
    // Its timeouts belong to a connection that is ending, which this one does at once.
  }

  destroySoon(): void {
    this.destroyed = true;
  }

  destroy(): void {
    this.destroyed = true;
  }

  /** Everything that was written, whether it was sent or not. */
  get frames(): readonly RecordedFrame[] {
    return this.#text
      .split('\n\n')
      .filter((block) => block.startsWith('event: '))
      .map((block) => {
        const [event = '', data = ''] = block.split('\n');
        const parsed = JSON.parse(data.slice('data: '.length)) as Record<string, unknown>;
        return { event: event.slice('event: '.length), data: parsed };
      });
  }

  of(event: string): readonly Readonly<Record<string, unknown>>[] {
    return this.frames.filter((frame) => frame.event === event).map(({ data }) => data);
  }
}
