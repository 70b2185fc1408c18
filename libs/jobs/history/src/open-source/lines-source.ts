import type { NumberedEvent } from '@heddle/platform-event-log';
import { readEventLine } from '../event-line/event-line.js';
import { BadLineError } from '../event-line/line-fields.js';
import type { HistorySource } from './history-source.js';

/** A payload has at most 1 MiB, which escapes can make six times as long. */
const MAX_LINE = 8 * 1024 * 1024;
const BATCH = 1_000;

/** Event lines of a stream, which can be read once. */
export class LinesSource implements HistorySource {
  readonly name = '-';

  constructor(private readonly input: AsyncIterable<Buffer | string>) {}

  async *events(after: bigint, signal?: AbortSignal): AsyncGenerator<readonly NumberedEvent[]> {
    for await (const batch of this.all(signal)) {
      const numbered = batch.filter(({ seq }) => seq !== null && seq > after);
      if (numbered.length > 0) yield numbered;
    }
  }

  async eventsOf(jobId: string): Promise<readonly NumberedEvent[]> {
    const found: NumberedEvent[] = [];
    for await (const batch of this.all()) found.push(...batch.filter(({ streamId }) => streamId === jobId));
    return found.sort((a, b) => a.version - b.version);
  }

  /** A stream cannot be searched and then read. */
  newestJobs(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  /** Also the events that have no number yet, in the order of their lines. */
  async *all(signal?: AbortSignal): AsyncGenerator<readonly NumberedEvent[]> {
    let [rest, line, batch] = ['', 0, [] as NumberedEvent[]];
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const take = (text: string): void => {
      line += 1;
      if (text.trim() !== '') batch.push(eventAt(line, text));
    };
    for await (const chunk of untilAborted(this.input, signal)) {
      const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE) throw new BadLineError(`line ${line + 1} has more than ${MAX_LINE} characters`);
      for (const text of lines) take(text);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    take(rest + decoder.decode());
    if (batch.length > 0) yield batch;
  }
}

function eventAt(line: number, text: string): NumberedEvent {
  try {
    return readEventLine(text);
  } catch (error) {
    if (error instanceof BadLineError) throw new BadLineError(`line ${line} is not an event line: ${error.message}`);
    throw error;
  }
}

/** Ctrl-C does not wait for a line that may never come. */
async function* untilAborted<T>(input: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const chunks = input[Symbol.asyncIterator]();
  let refuse: (reason: Error) => void = () => undefined;
  const abort = (): void => refuse(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      // A promise for each chunk: one that lives as long as the input would keep every chunk that raced it.
      const { value, done } = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
        refuse = reject;
        chunks.next().then(resolve, reject);
      });
      if (done === true) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
