import type { EngineOutput } from '@heddle/engine-port';

/** Maximum small outputs of one run stored at once; more would only queue for the same disk. */
const MAX_AT_ONCE = 8;

/**
 * Outputs of one run held in memory, within a budget of bytes, until they are stored. They are stored in parallel and
 * reported in order. The first failure fails the rest.
 */
export class KeptOutputs {
  readonly #maxBytes: number;
  readonly #broken = new AbortController();
  #bytes = 0;
  /** Outputs not reported yet, oldest first. */
  readonly #waiting: Promise<void>[] = [];
  #failure: { readonly error: unknown } | null = null;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Aborts with the first failure. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Resolves when this many more bytes (at most the budget) fit; rejects after a failure. */
  async roomFor(bytes: number): Promise<void> {
    while (this.#waiting.length >= MAX_AT_ONCE || (this.#bytes > 0 && this.#bytes + bytes > this.#maxBytes)) {
      await this.#waiting[0];
    }
    this.#assertSound();
  }

  add<T>(bytes: number, storing: Promise<T>, report: (stored: T) => void): void {
    const before = this.#waiting.at(-1);
    this.#bytes += bytes;
    const reported = this.#inTurn(before, storing, report).finally(() => {
      this.#bytes -= bytes;
      // A failed output may leave before earlier ones.
      void this.#waiting.splice(this.#waiting.indexOf(reported), 1);
    });
    // The failure is reported by `broken` and by the next call.
    reported.catch(() => undefined);
    this.#waiting.push(reported);
  }

  /** Resolves when all are reported; rejects with the first failure. */
  async settled(): Promise<void> {
    await Promise.all(this.#waiting);
    this.#assertSound();
  }

  async #inTurn<T>(before: Promise<void> | undefined, storing: Promise<T>, report: (stored: T) => void): Promise<void> {
    try {
      const [stored] = await Promise.all([storing, before]);
      report(stored);
    } catch (error) {
      this.#failure ??= { error };
      this.#broken.abort();
      throw error;
    }
  }

  #assertSound(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}

/** Reads an output with a declared size; fails if it is larger. */
export async function readWhole(output: EngineOutput, sizeBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await output.open()) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > sizeBytes)
      throw new Error(`the output ${output.key} has more bytes than the engine declared (${sizeBytes})`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
