import type { EngineOutput } from '@heddle/engine-port';

/** Small outputs of one run that are stored at once; more would only stand in line for the same disk. */
const MAX_AT_ONCE = 8;

/**
 * Outputs of one run that are held in memory until they are stored: so many bytes at most. They are stored side by side
 * and reported in the order in which they came. The first that fails breaks the rest.
 */
export class KeptOutputs {
  readonly #mostBytes: number;
  readonly #broken = new AbortController();
  #bytes = 0;
  /** Those that are not reported yet, the oldest first. */
  readonly #waiting: Promise<void>[] = [];
  #failure: { readonly error: unknown } | null = null;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Aborts with the first failure. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Resolves when so many more bytes, at most the budget, may be kept; rejects after a failure. */
  async roomFor(bytes: number): Promise<void> {
    while (this.#waiting.length >= MAX_AT_ONCE || (this.#bytes > 0 && this.#bytes + bytes > this.#mostBytes)) {
      await this.#waiting[0];
    }
    this.#assertSound();
  }

  add<T>(bytes: number, storing: Promise<T>, report: (stored: T) => void): void {
    const before = this.#waiting.at(-1);
    this.#bytes += bytes;
    const reported = this.#inTurn(before, storing, report).finally(() => {
      this.#bytes -= bytes;
      // One that failed may go before those ahead of it.
      void this.#waiting.splice(this.#waiting.indexOf(reported), 1);
    });
    // Told by `broken`, and by whoever asks next.
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

/** The bytes of an output that says its size; one that turns out larger is an engine's lie and is not read on. */
export async function readWhole(output: EngineOutput, sizeBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await output.open()) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > sizeBytes)
      throw new Error(`the output ${output.key} has more bytes than the engine said (${sizeBytes})`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
