import type { Readable } from 'node:stream';
import { BlobExistsError, BlobMissingError } from '@heddle/platform-blob-store';
import type {
  BlobKey,
  BlobStore,
  BlobWriter,
  ByteRange,
  SignedUrlTerms,
  StoredObject,
} from '@heddle/platform-blob-store';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { PROCESS_METRICS } from '../metrics.js';

type Operation = 'write' | 'read' | 'stat' | 'delete';

/** Times the calls of a store: a write from its start to stable storage, a read until its first bytes can be read. */
export class ObservedStore implements BlobStore {
  readonly #timed: <T>(operation: Operation, startedAt: number, answer: Promise<T>) => Promise<T>;

  constructor(
    private readonly store: BlobStore,
    metrics: MetricsRegistry,
  ) {
    const seconds = metrics.histogram(PROCESS_METRICS.blobStoreSeconds);
    const observe = (operation: Operation, startedAt: number, outcome: 'ok' | 'failed'): void =>
      seconds.observe({ operation, outcome }, (performance.now() - startedAt) / 1_000);
    this.#timed = async (operation, startedAt, answer) => {
      try {
        const value = await answer;
        observe(operation, startedAt, 'ok');
        return value;
      } catch (error) {
        const isAnswer = error instanceof BlobMissingError || error instanceof BlobExistsError;
        observe(operation, startedAt, isAnswer ? 'ok' : 'failed');
        throw error;
      }
    };
  }

  async write(key: BlobKey, onTaken?: (chunk: Buffer) => void): Promise<BlobWriter> {
    const startedAt = performance.now();
    const writer = await this.store.write(key, onTaken);
    return {
      write: (chunk) => writer.write(chunk),
      finish: async () => await this.#timed('write', startedAt, writer.finish()),
      abort: async () => await writer.abort(),
    };
  }

  async writeFile(key: BlobKey, file: string): Promise<void> {
    await this.#timed('write', performance.now(), this.store.writeFile(key, file));
  }

  async read(key: BlobKey, range?: ByteRange): Promise<Readable> {
    return await this.#timed('read', performance.now(), this.store.read(key, range));
  }

  async stat(key: BlobKey): Promise<{ readonly sizeBytes: number } | null> {
    return await this.#timed('stat', performance.now(), this.store.stat(key));
  }

  async delete(key: BlobKey): Promise<void> {
    await this.#timed('delete', performance.now(), this.store.delete(key));
  }

  async deleteAll(keys: readonly BlobKey[]): Promise<ReadonlyMap<BlobKey, Error>> {
    return await this.#timed('delete', performance.now(), this.store.deleteAll(keys));
  }

  async signedUrl(key: BlobKey, terms: SignedUrlTerms): Promise<string> {
    return await this.store.signedUrl(key, terms);
  }

  list(): AsyncIterable<StoredObject> {
    return this.store.list();
  }

  async abortOrphans(olderThanMs: number): Promise<number> {
    return await this.store.abortOrphans(olderThanMs);
  }

  async health(): Promise<void> {
    await this.store.health();
  }
}
