import type { StreamSocket } from './event-stream.js';

export interface RecordedFrame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client connection that records what is written; while it stalls, written bytes stay unsent. */
export class RecordedSocket implements StreamSocket {
  destroyed = false;
  writableLength = 0;
  stalled = false;
  maxUnsent = 0;
  #text = '';
  #listeners: (() => void)[] = [];

  write(bytes: Uint8Array): boolean {
    this.#text += Buffer.from(bytes).toString('utf8');
    if (this.stalled) this.writableLength += bytes.length;
    this.maxUnsent = Math.max(this.maxUnsent, this.writableLength);
    return this.writableLength === 0;
  }

  on(_event: 'drain', listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The client reads everything, as the operating system would report. */
  drain(): void {
    this.stalled = false;
    if (this.writableLength === 0) return;
    this.writableLength = 0;
    for (const listener of this.#listeners) listener();
  }

  setTimeout(): void {
    // Time-outs belong to a closing connection; this one closes at once.
  }

  destroySoon(): void {
    this.destroyed = true;
  }

  destroy(): void {
    this.destroyed = true;
  }

  /** Everything written, sent or not. */
  get text(): string {
    return this.#text;
  }

  /** All written frames, sent or not. */
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
