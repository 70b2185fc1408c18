import type { IncomingMessage } from 'node:http';

/** A body of the proxy has at most 20 MiB, and the callback's URL comes on top. */
const MAX_BODY = 21 * 1024 ** 2;
/** Of all bodies that are read at a time. */
const MAX_BODIES = 8 * MAX_BODY;

/** Reads bodies within one bound on the memory of the process. */
export class BodyReader {
  #held = 0;

  /** The object in the body; `too_large`, `busy` or `no_json` when there is none. */
  async read(request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | 'too_large' | 'busy' | 'no_json'> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#held += chunk.length;
        if (size > MAX_BODY) return 'too_large';
        if (this.#held > MAX_BODIES) return 'busy';
        chunks.push(chunk);
      }
      const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : 'no_json';
    } catch {
      return 'no_json';
    } finally {
      this.#held -= size;
    }
  }
}
