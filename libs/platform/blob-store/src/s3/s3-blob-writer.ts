import { BlobExistsError } from '../blob-store.js';
import type { BlobWriter } from '../blob-store.js';
import { ChunkBatch } from '../chunk-batch/chunk-batch.js';
import { NameTakenError } from './s3-calls.js';
import type { S3Calls, StoredPart } from './s3-calls.js';
import { MAX_PARTS } from './s3-options.js';

type Part = ReturnType<ChunkBatch['take']>;

/**
 * Writes one object in parts of fixed size, sending one part while the next one fills. An object smaller than a part is
 * one call. Nothing is readable until the parts are combined at the end.
 */
export class S3BlobWriter implements BlobWriter {
  readonly #batch = new ChunkBatch();
  readonly #full: Part[] = [];
  readonly #stored: StoredPart[] = [];
  readonly #ending = new AbortController();
  #sizeBytes = 0;
  #uploadId: string | null = null;
  #sending: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #ended = false;
  /** Our own finished object may exist under this name. */
  #mayBeThere = false;

  constructor(
    private readonly key: string,
    private readonly name: string,
    private readonly calls: S3Calls,
    private readonly onTaken: ((chunk: Buffer) => void) | undefined,
  ) {}

  write(chunk: Buffer): Promise<void> | undefined {
    this.#assertUsable();
    this.#sizeBytes += chunk.length;
    for (let rest = chunk; rest.length > 0;) {
      const room = this.calls.settings.partBytes - this.#batch.bytes;
      const piece = rest.length <= room ? rest : rest.subarray(0, room);
      this.#batch.add(piece);
      rest = rest.subarray(piece.length);
      if (piece.length === room) this.#full.push(this.#batch.take());
    }
    if (this.#full.length === 0) return undefined;
    if (this.#sending === null) this.#sendNext();
    return this.#full.length === 0 ? undefined : this.#whenTaken();
  }

  async finish(): Promise<void> {
    this.#assertUsable();
    this.#ended = true;
    const last = this.#batch.take();
    try {
      if (this.#uploadId === null && this.#sending === null) await this.#finishSmall(last);
      else await this.#finishParts(last);
      await this.#verify();
    } catch (error) {
      this.#failure ??= { error };
      throw error instanceof NameTakenError ? new BlobExistsError(this.key) : error;
    }
  }

  async abort(): Promise<void> {
    this.#ended = true;
    this.#full.length = 0;
    this.#ending.abort(new Error('the writer was aborted'));
    await this.#sending;
    if (this.#uploadId !== null) await this.calls.abortUpload(this.name, this.#uploadId).catch(ignore);
    if (this.#mayBeThere) await this.calls.remove(this.name).catch(ignore);
  }

  async #finishSmall(content: Part): Promise<void> {
    this.#mayBeThere = true;
    await this.calls.putObject(this.name, content, this.#ending.signal).catch((error: unknown) => {
      if (error instanceof NameTakenError) this.#mayBeThere = false;
      throw error;
    });
    this.#giveBack(content);
  }

  async #finishParts(last: Part): Promise<void> {
    if (last.bytes > 0) this.#full.push(last);
    if (this.#sending === null) this.#sendNext();
    while (this.#sending !== null) await this.#sending;
    if (this.#failure !== null) throw this.#failure.error;
    this.#mayBeThere = true;
    await this.calls
      .completeUpload(this.name, this.#uploadId!, this.#stored, this.#ending.signal)
      .catch((error: unknown) => {
        if (error instanceof NameTakenError) this.#mayBeThere = false;
        throw error;
      });
    this.#uploadId = null;
  }

  /** Detects a store that keeps fewer bytes than it was sent without an error. */
  async #verify(): Promise<void> {
    const stored = await this.calls.sizeOf(this.name);
    if (stored === this.#sizeBytes) return;
    throw new Error(`the S3 store holds ${stored ?? 'nothing'} of ${this.#sizeBytes} bytes under ${this.name}`);
  }

  /** Waits until all full parts are being sent. */
  async #whenTaken(): Promise<void> {
    while (this.#full.length > 0 && this.#sending !== null) await this.#sending;
    this.#assertUsable();
  }

  /** Never rejects: a failure surfaces at the next call, so no rejection is unhandled. */
  #sendNext(): void {
    const part = this.#full.shift();
    if (part === undefined) return;
    this.#sending = this.#send(part).then(
      () => {
        this.#sending = null;
        this.#sendNext();
      },
      (error: unknown) => {
        this.#sending = null;
        this.#full.length = 0;
        this.#failure ??= { error };
      },
    );
  }

  async #send(part: Part): Promise<void> {
    const { signal } = this.#ending;
    if (this.#stored.length === MAX_PARTS) {
      throw new Error(`an object has at most ${MAX_PARTS} parts of ${this.calls.settings.partBytes} bytes`);
    }
    this.#uploadId ??= await this.calls.beginUpload(this.name, signal);
    this.#stored.push(await this.calls.putPart(this.name, this.#uploadId, this.#stored.length + 1, part, signal));
    this.#giveBack(part);
  }

  #giveBack(part: Part): void {
    if (this.onTaken !== undefined) for (const chunk of part.given) this.onTaken(chunk);
  }

  #assertUsable(): void {
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#ended) throw new Error('the writer has ended');
  }
}

function ignore(): void {
  // Leftovers of an aborted object are found again through its intent row.
}
